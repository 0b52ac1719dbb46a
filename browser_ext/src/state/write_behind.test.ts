import { expect, it } from 'vitest'
import { WriteBehind } from './write_behind'

it('writes one value at a time, and only the newest of those that wait', async () => {
  const starts: number[] = []
  const finish: (() => void)[] = []
  const store = new WriteBehind<number>((value) => {
    starts.push(value)
    return new Promise((resolve) => finish.push(resolve))
  })
  const first = store.save(1)
  await Promise.resolve().then(() => undefined)
  const second = store.save(2)
  const third = store.save(3)
  expect(starts).toEqual([1])
  finish[0]?.()
  await first
  await Promise.resolve()
  finish[1]?.()
  await Promise.all([second, third])
  expect(starts).toEqual([1, 3])
})

it('goes on after a write that failed', async () => {
  const values: number[] = []
  const store = new WriteBehind<number>(async (value) => {
    if (value === 1) throw new Error('disk full')
    values.push(value)
  })
  await expect(store.save(1)).rejects.toThrow('disk full')
  await store.save(2)
  expect(values).toEqual([2])
})
