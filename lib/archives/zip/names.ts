import { AppError } from '@/lib/errors'

/** Operating systems in headers: MS-DOS, NTFS, VFAT. */
export const DOS_HOSTS = [0, 10, 14]
const MAX_NAME_BYTES = 1024
// Control characters, and marks that make a name look different from its characters.
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const LENIENT = new TextDecoder()

/** A printable name for an entry whose name is not yet checked. */
export const toLabel = (raw: Uint8Array): string => LENIENT.decode(raw)

/**
 * The text of a name. Names without the UTF-8 flag are read as UTF-8 too (macOS does not set it;
 * plain ASCII is the same in all code pages); anything else is refused.
 */
export function decodeName(raw: Uint8Array): string {
  try {
    return STRICT.decode(raw)
  } catch (cause) {
    const why = 'has a name that is not UTF-8; rename it or pack it with a tool that writes UTF-8'
    throw refused(toLabel(raw), why, cause)
  }
}

/**
 * Whether backslashes separate the parts of the names, as in archives of PowerShell 5 and of .NET before 4.6.1: every
 * entry was made on Windows, where no name can hold one, and no name has `/` between parts (a folder's may end with it).
 */
export const hasWindowsPaths = (entries: { name: string; host: number }[]): boolean =>
  entries.every(({ name, host }) => DOS_HOSTS.includes(host) && !name.slice(0, -1).includes('/'))

/**
 * The path of an entry: relative, `/` between its parts, without a leading `./`; a folder's path
 * ends with `/` (`./` itself becomes empty). Throws `invalid_input` for every other form and for
 * more than `maxDepth` parts.
 */
export function toPath(name: string, rawLength: number, maxDepth: number): string {
  const why = reasonToRefuse(name, rawLength)
  if (why) throw refused(name, why)
  const path = name.replace(/^(\.\/)+/, '')
  const parts = (path.endsWith('/') ? path.slice(0, -1) : path).split('/')
  if (path !== '' && parts.some((part) => part === '' || part === '.'))
    throw refused(name, 'has an empty part or "." in its path; pack it again from its folder')
  if (parts.length > maxDepth)
    throw refused(name, `is ${parts.length} levels deep, at most ${maxDepth} are allowed`)
  return path
}

function reasonToRefuse(name: string, rawLength: number): string | null {
  if (name === '') return 'has no name; pack the archive again'
  if (rawLength > MAX_NAME_BYTES)
    return `has a name longer than ${MAX_NAME_BYTES} bytes; shorten it`
  if (INVISIBLE.test(name)) return 'has a control character in its name; rename it'
  if (name.includes('\\'))
    return 'has a backslash in its path; pack the archive with a tool that writes forward slashes'
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name))
    return 'has an absolute path; pack the archive with relative paths'
  if (name.split('/').includes('..'))
    return 'leads out of its folder (".."); pack it from its folder'
  return null
}

/**
 * Throws `invalid_input` when two paths are equal, or would be on a system that ignores case or
 * Unicode forms (such as macOS and Windows), parent folders included.
 */
export function refuseClashes(paths: string[]): void {
  const seen = new Map<string, string>()
  const explicit = new Set<string>()
  for (const path of paths) {
    const parts = path.split('/').filter((part) => part !== '')
    parts.forEach((_, index) => {
      const last = index === parts.length - 1 && !path.endsWith('/')
      const spelling = parts.slice(0, index + 1).join('/') + (last ? '' : '/')
      const key = fold(last ? spelling : spelling.slice(0, -1))
      const earlier = seen.get(key)
      if (earlier !== undefined && earlier !== spelling) throw clash(spelling, earlier)
      seen.set(key, spelling)
    })
    if (explicit.has(path)) throw refused(path, 'occurs twice; keep one of them')
    explicit.add(path)
  }
}

const fold = (path: string) => path.normalize('NFC').toLowerCase().normalize('NFC')

const clash = (path: string, earlier: string) =>
  refused(path, `has the same name as ${quote(earlier)} on many systems; rename one of them`)

/** The archive is inconsistent: only a new archive helps. */
export const damaged = (what: string, cause?: unknown) =>
  new AppError(
    'invalid_input',
    `The archive is damaged: ${what}; pack or download it again, then retry`,
    { cause },
  )

/** An entry is valid but not accepted; `why` ends with what to do about it. */
export const refused = (name: string, why: string, cause?: unknown) =>
  new AppError('invalid_input', `The archive's entry ${quote(name)} ${why}`, { cause })

/** A name for a sentence: in double quotes, at most 100 characters, without invisible characters. */
export function quote(name: string): string {
  const characters = [...name]
  const short = characters.length > 100 ? `${characters.slice(0, 100).join('')}…` : name
  const visible = short.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeCharacter)
  return `"${visible.replaceAll('"', '\\"')}"`
}

const escapeCharacter = (character: string) =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`
