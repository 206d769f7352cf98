import { bookFault } from './book-fault'
import { type CellContext, type CellValue, READ_CELL } from './cell-value'
import { MAX_CELL_CHARS, RichText, TOO_LONG } from './rich-text'
import { attributeOf, bookText } from './xml-text'

/** Collects a cell out of its tags and texts. */
export class SheetCell {
  private type = ''
  private style = 0
  private value = ''
  private hasValue = false
  private hasFormula = false
  private isInValue = false
  private isInText = false
  /** Below the first tag that is of an extension. */
  private extensionDepth = 0
  private readonly inline = new RichText()

  constructor(private readonly context: CellContext) {}

  begin(attributes: string): void {
    this.type = attributeOf(attributes, 't') ?? 'n'
    this.style = Number(attributeOf(attributes, 's') ?? 0)
    this.value = ''
    this.hasValue = false
    this.hasFormula = false
    this.inline.take()
  }

  open(name: string): void {
    if (name === 'extLst' || this.extensionDepth > 0) this.extensionDepth++
    else if (name === 'v') {
      this.isInValue = true
      this.hasValue = true
    } else if (name === 'f') this.hasFormula = true
    else if (name === 'is') this.isInText = true
    else if (this.isInText) this.inline.open(name)
  }

  text(text: string): void {
    if (this.isInText) this.inline.add(text)
    if (!this.isInValue) return
    this.value += text
    if (this.value.length > MAX_CELL_CHARS) throw bookFault(TOO_LONG)
  }

  close(name: string): void {
    if (this.extensionDepth > 0) this.extensionDepth--
    else if (name === 'v') this.isInValue = false
    else if (name === 'is') this.isInText = false
    else if (this.isInText) this.inline.close(name)
  }

  /** Throws `FileFault` for what no workbook holds. */
  end(): CellValue {
    if (this.type === 'inlineStr') return { value: this.inline.take() || bookText(this.value) }
    const isText = this.type === 'str'
    const value = isText ? this.value : this.value.trim()
    if (this.hasFormula && !(isText ? this.hasValue : value !== ''))
      return { value: null, fault: NO_RESULT }
    if (value === '' && !isText) return { value: null }
    const read = READ_CELL[this.type]
    if (!read) throw bookFault(`a cell has the unknown type "${this.type.slice(0, 20)}"`)
    return read(value, this.context, this)
  }

  get isDate(): boolean {
    return this.context.dateFormats[this.style] === true
  }

  get isFormula(): boolean {
    return this.hasFormula
  }
}

const NO_RESULT =
  'holds a formula without its result; open the workbook in a spreadsheet program and save it'
