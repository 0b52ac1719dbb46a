import mark from '../../../penny_site/static/penny/penny.svg'

export function Mark({ size }: { size: number }) {
  return <img class="mark" src={mark} alt="" width={size} height={size} />
}
