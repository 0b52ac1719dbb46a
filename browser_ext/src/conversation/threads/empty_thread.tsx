import { say } from '../../say'

export function EmptyThread() {
  return (
    <>
      <h2>{say('thread_new')}</h2>
      <p>{say('thread_new_what')}</p>
    </>
  )
}
