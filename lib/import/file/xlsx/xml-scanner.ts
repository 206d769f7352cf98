import { bookFault } from './book-parts'
import { localName, withoutEntities } from './xml-text'

/** What is found in XML: names without their prefix, attributes as they stand in the tag. */
export type XmlEvents = {
  open: (name: string, attributes: string) => void
  /** One text may come in several parts. */
  text: (text: string) => void
  close: (name: string) => void
}

/** Ranges of a conditional format, of which there may be 8,192, stand in one. */
const MAX_TAG_CHARS = 256 * 1024
const MAX_DEPTH = 128

/**
 * Finds tags and texts in XML that comes in pieces, and holds no more of it than one tag. Throws `FileFault` for what is not
 * well-formed, and for document types, which workbooks may not have.
 */
export class XmlScanner {
  private rest = ''
  private readonly path: string[] = []
  private hasRoot = false
  /** Of a comment, an instruction or a CDATA section that has begun. */
  private terminator: string | null = null

  constructor(
    private readonly part: string,
    private readonly events: XmlEvents,
  ) {}

  push(piece: string): void {
    const text = this.rest + piece
    let at = 0
    while (at < text.length) {
      const next = this.terminator === null ? this.next(text, at) : this.skip(text, at)
      if (next < 0) break
      at = next
    }
    this.rest = text.slice(at)
    if (this.rest.length > MAX_TAG_CHARS) throw this.broken('holds a tag that is too long')
  }

  end(): void {
    if (this.path.length > 0 || !this.hasRoot || this.rest.trim() !== '' || this.terminator)
      throw this.broken('ends before its end')
  }

  /** Takes a text or a tag; the position after it, or -1 where it is not whole yet. */
  private next(text: string, from: number): number {
    const at = text.indexOf('<', from)
    if (at === from) return this.tag(text, at)
    const end = at < 0 ? wholeTextEnd(text, from) : at
    if (end === from) return -1
    if (this.path.length > 0) this.events.text(withoutEntities(text.slice(from, end)))
    else if (/[^\s\uFEFF]/.test(text.slice(from, end))) throw this.broken('is no XML')
    return end
  }

  private tag(text: string, at: number): number {
    const second = text.charCodeAt(at + 1)
    if (second === EXCLAMATION || second === QUESTION) return this.special(text, at)
    const end = tagEnd(text, at + 1)
    if (end < 0) return -1
    if (second === SLASH) this.close(localName(text.slice(at + 2, end).trimEnd()))
    else this.open(text.slice(at + 1, end))
    return end + 1
  }

  private open(tag: string): void {
    const isEmpty = tag.endsWith('/')
    const whole = isEmpty ? tag.slice(0, -1) : tag
    const space = whole.search(/\s/)
    const name = localName(space < 0 ? whole : whole.slice(0, space))
    if (this.path.length === 0 && this.hasRoot) throw this.broken('has two beginnings')
    if (name === '' || this.path.length >= MAX_DEPTH) throw this.broken('is no XML of a workbook')
    this.hasRoot = true
    this.path.push(name)
    this.events.open(name, space < 0 ? '' : whole.slice(space))
    if (isEmpty) this.close(name)
  }

  private close(name: string): void {
    if (this.path.pop() !== name)
      throw this.broken(`closes "${name.slice(0, 50)}", which is not open`)
    this.events.close(name)
  }

  private special(text: string, at: number): number {
    const found = SPECIAL.find(({ begin }) => text.startsWith(begin, at))
    if (found) {
      this.terminator = found.end
      return at + found.begin.length
    }
    if (text.length - at >= CDATA.length) throw this.broken('has a document type')
    return -1
  }

  /** Skips to what ends it; of a CDATA section, takes its text. */
  private skip(text: string, from: number): number {
    const terminator = this.terminator as string
    const found = text.indexOf(terminator, from)
    const end = found < 0 ? Math.max(from, text.length - terminator.length + 1) : found
    if (terminator === CDATA_END && end > from) this.events.text(text.slice(from, end))
    if (found < 0) return end > from ? end : -1
    this.terminator = null
    return end + terminator.length
  }

  private readonly broken = (what: string) => bookFault(`"${this.part}" ${what}`)
}

const [EXCLAMATION, QUESTION, SLASH] = [0x21, 0x3f, 0x2f]
const CDATA = '<![CDATA['
const CDATA_END = ']]>'
const SPECIAL = [
  { begin: '<!--', end: '-->' },
  { begin: '<?', end: '?>' },
  { begin: CDATA, end: CDATA_END },
]

const [QUOTE, APOSTROPHE, GREATER] = [0x22, 0x27, 0x3e]
/** A longer beginning of an entity is none. */
const MAX_ENTITY_CHARS = 12

/** The position of the `>` that ends a tag, outside quotes; -1 where it is not there yet. */
function tagEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === GREATER) return at
    if (code !== QUOTE && code !== APOSTROPHE) continue
    const closing = text.indexOf(code === QUOTE ? '"' : "'", at + 1)
    if (closing < 0) return -1
    at = closing
  }
  return -1
}

/** Where the text ends that is there, before an entity of which the end is missing. */
function wholeTextEnd(text: string, from: number): number {
  const entity = text.lastIndexOf('&')
  const isCut = entity >= from && text.length - entity < MAX_ENTITY_CHARS
  return isCut && !text.includes(';', entity) ? entity : text.length
}
