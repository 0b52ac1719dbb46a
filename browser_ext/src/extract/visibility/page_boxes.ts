// Where elements and texts lie on the page, however far it is scrolled.
import { isTiny, overlap, type Box } from './box'

interface Point {
  x: number
  y: number
}

const LEAST_PICTURE_PX = 40

export class PageBoxes {
  #scroll: Point | null = null
  #pictures: Box[] | null = null
  #range: Range | null = null

  /** `isAtOnce`: nothing scrolls while these boxes are in use. Where a page is scrolled to is slow to ask. */
  constructor(
    private readonly view: Window,
    private readonly isAtOnce: boolean,
  ) {}

  of(element: Element): Box {
    return this.#onPage(element.getBoundingClientRect())
  }

  ofText(text: Text): Box {
    this.#range ??= rangeOf(text.ownerDocument)
    this.#range.selectNodeContents(text)
    return this.#onPage(this.#range.getBoundingClientRect())
  }

  /** Whether a picture lies there, of those that text could lie on. */
  hasPictureAt(box: Box): boolean {
    this.#pictures ??= this.#largePictures()
    return this.#pictures.some((picture) => !isTiny(overlap(picture, box)))
  }

  #largePictures(): Box[] {
    const pictures = [...this.view.document.querySelectorAll('img, video, canvas, picture, svg')]
    return pictures
      .map((picture) => this.of(picture))
      .filter(({ left, top, right, bottom }) => {
        return right - left > LEAST_PICTURE_PX && bottom - top > LEAST_PICTURE_PX
      })
  }

  #onPage({ left, top, right, bottom }: DOMRect): Box {
    const { x, y } = (this.isAtOnce && this.#scroll) || this.#scrolled()
    return { left: left + x, top: top + y, right: right + x, bottom: bottom + y }
  }

  #scrolled(): Point {
    const { scrollX, scrollY } = this.view
    return (this.#scroll = { x: scrollX, y: scrollY })
  }
}

/** One range for each page: browsers keep every range up to date. */
const ranges = new WeakMap<Document, Range>()

function rangeOf(page: Document): Range {
  const range = ranges.get(page) ?? page.createRange()
  ranges.set(page, range)
  return range
}
