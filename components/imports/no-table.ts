/** The file itself can't be imported; the message says why. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
}

/** Throws `FileFault` for a file that is empty or plainly no table, by its bytes. Whatever may be one is for the server to read. */
export async function requireTable(file: Blob): Promise<void> {
  if (file.size === 0) throw new FileFault('The file is empty')
  const beginning = await textOf(file.slice(0, BEGINNING_BYTES))
  if (isOther(beginning) || (beginning.startsWith('PK\x03\x04') && (await isOtherArchive(file))))
    throw new FileFault('This is not a CSV, XLSX, JSON or JSON Lines file')
}

const BEGINNING_BYTES = 4096
/** Where the names of the files in an archive are. */
const END_BYTES = 1024 * 1024

/** Formats that may begin without a NUL. */
const OTHERS = /^(%PDF-|BZh\d1AY|ÿØÿ|GIF8\da|\s*<(\?xml|!doctype|html|svg)\b)/i
const GZIP = '\x1f'
/** Files of old Excel, about which the server says more. */
const OLD_EXCEL = 'ÐÏ\x11à'
/** Byte order marks. */
const UTF_16 = /^(ÿþ|þÿ)/
const UTF_8 = /^ï»¿/

function isOther(beginning: string): boolean {
  if (beginning.startsWith(GZIP) || OTHERS.test(beginning.replace(UTF_8, ''))) return true
  if (beginning.startsWith('PK') || beginning.startsWith(OLD_EXCEL)) return false
  return beginning.includes('\0') && !UTF_16.test(beginning)
}

/** An archive without a workbook; a damaged one is for the server to name. */
async function isOtherArchive(file: Blob): Promise<boolean> {
  const end = await textOf(file.slice(-END_BYTES))
  return end.includes('PK\x01\x02') && !/workbook/i.test(end)
}

/** Each byte as a character of Windows-1252. Empty for a file that the browser can't read. */
async function textOf(part: Blob): Promise<string> {
  const bytes = await part.arrayBuffer().catch(() => new ArrayBuffer(0))
  return new TextDecoder('windows-1252').decode(bytes)
}
