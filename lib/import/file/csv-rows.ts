import { FileFault } from './source'

export type CsvForm = {
  delimiter: string
  newline: '\n' | '\r'
  /** The first line says what separates cells (`sep=;`, of Excel), and is no row. */
  isSaid?: boolean
}

/** A longer row is a quote that is never closed, or no table. */
export const MAX_ROW_CHARS = 4 * 1024 * 1024

const QUOTE = '"'

/**
 * Reads CSV (RFC 4180) that arrives in pieces. Lines end with LF, CRLF or CR. An empty cell is null, `""` is an empty
 * text. A quote inside a cell that does not begin with one is text. Blank lines are skipped. Throws `FileFault`, naming the line.
 */
export class CsvRows {
  private rest = ''
  private line = 1

  constructor(private readonly form: CsvForm) {}

  push(text: string): (string | null)[][] {
    this.rest = this.rest === '' ? text : this.rest + text
    return this.take(false)
  }

  end(): (string | null)[][] {
    return this.take(true)
  }

  private take(isEnd: boolean): (string | null)[][] {
    const { newline, delimiter } = this.form
    const text = this.rest
    const rows: (string | null)[][] = []
    let from = 0
    let quote = text.indexOf(QUOTE)
    while (from < text.length) {
      const at = text.indexOf(newline, from)
      const end = at < 0 && isEnd ? text.length : at
      if (quote >= 0 && quote < from) quote = text.indexOf(QUOTE, from)
      const isPlain = quote < 0 || (end >= 0 && quote > end)
      if (isPlain && end < 0) break
      if (isPlain) {
        const stop = end > from && newline === '\n' && text[end - 1] === '\r' ? end - 1 : end
        if (stop > from) rows.push(text.slice(from, stop).split(delimiter).map(orNull))
        this.line++
        from = end + 1
        continue
      }
      const row = this.readQuoted(text, from, isEnd)
      if (!row) break
      rows.push(row.cells)
      this.line += linesIn(text, from, row.end, newline)
      from = row.end
    }
    this.rest = text.slice(from)
    if (this.rest.length > MAX_ROW_CHARS) throw this.tooLong()
    return rows
  }

  /** Null when the row goes on in a later piece. `end` is where the next row begins. */
  private readQuoted(text: string, from: number, isEnd: boolean) {
    const { newline, delimiter } = this.form
    const cells: (string | null)[] = []
    let lineEnd = -1
    for (let at = from; ; ) {
      if (text[at] === QUOTE) {
        const cell = this.readCell(text, at, isEnd)
        if (!cell) return null
        cells.push(cell.value)
        at = cell.end
      } else {
        if (lineEnd < at) lineEnd = text.indexOf(newline, at)
        const delimited = text.indexOf(delimiter, at)
        if (lineEnd < 0 && !isEnd && delimited < 0) return null
        const stop = lineEnd < 0 ? text.length : lineEnd
        const end = delimited < 0 || delimited > stop ? stop : delimited
        const isLast = end === stop && newline === '\n' && text[end - 1] === '\r'
        cells.push(orNull(text.slice(at, isLast ? Math.max(at, end - 1) : end)))
        at = end
      }
      if (text[at] === '\r' && text[at + 1] === '\n') at++
      if (text[at] === delimiter) at++
      else if (text[at] === newline) return { cells, end: at + 1 }
      else if (at >= text.length) return isEnd ? { cells, end: at } : null
      else if (text[at] === '\r' && at + 1 >= text.length)
        return isEnd ? { cells, end: at + 1 } : null
      else
        throw new FileFault(
          this.where(
            text,
            from,
            at,
            'text follows a closing quote; a quote inside a cell is written twice',
          ),
        )
    }
  }

  private readCell(text: string, from: number, isEnd: boolean) {
    let value = ''
    for (let at = from + 1; ; ) {
      const quote = text.indexOf(QUOTE, at)
      if (quote < 0 && isEnd) throw new FileFault(this.where(text, from, from, UNCLOSED))
      if (quote < 0 || (quote + 1 >= text.length && !isEnd)) return null
      if (text[quote + 1] !== QUOTE) return { value: value + text.slice(at, quote), end: quote + 1 }
      value += text.slice(at, quote + 1)
      at = quote + 2
    }
  }

  private where(text: string, from: number, at: number, what: string): string {
    return `Line ${this.line + linesIn(text, from, at, this.form.newline)}: ${what}`
  }

  private tooLong(): FileFault {
    const isQuoted = this.rest.includes(QUOTE)
    const what = isQuoted
      ? UNCLOSED
      : `is longer than ${MAX_ROW_CHARS.toLocaleString('en')} characters`
    return new FileFault(`Line ${this.line}: ${what}`)
  }
}

const UNCLOSED = 'a quote that begins here is never closed'

const orNull = (text: string): string | null => (text === '' ? null : text)

function linesIn(text: string, from: number, to: number, newline: string): number {
  let lines = 0
  for (let at = text.indexOf(newline, from); at >= 0 && at < to; at = text.indexOf(newline, at + 1))
    lines++
  return lines
}

const DELIMITERS = [',', ';', '\t', '|']

const SAID = /^\s*("?)sep=([^"\r\n])\1[\r\n]/i

/** How a file is written, by its beginning: by what its first line says, or by what separates most cells of that line, quotes aside. */
export function csvFormOf(beginning: string): CsvForm {
  const plain = beginning.replace(/"[^"]*"?/g, '')
  const newline = plain.includes('\n') || !plain.includes('\r') ? '\n' : '\r'
  const said = SAID.exec(beginning)?.[2]
  if (said) return { delimiter: said, newline, isSaid: true }
  const line = plain.trimStart().split(newline, 1)[0] ?? ''
  const counts = DELIMITERS.map((one) => line.split(one).length)
  const delimiter = DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
  return { delimiter, newline }
}
