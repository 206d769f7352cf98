const PREFIX = 'private:'
const OWNER = 'private-owner'
/** The database of this browser that keeps files of the person. */
export const PRIVATE_FILES = 'private-files'
const MAX_ENTRIES = 200
const MAX_LENGTH = 32_000

/**
 * What this browser keeps of one person: at most 200 texts of 32,000 characters, the oldest are dropped first. Gone
 * when the person signs out and when somebody else signs in. Where storage is full or forbidden, nothing is kept.
 */
export function readPrivate(name: string): string | null {
  return tried(() => textOf(window.localStorage.getItem(PREFIX + name))) ?? null
}

/** Null removes it, as a text does that is too long. */
export function writePrivate(name: string, text: string | null): void {
  tried(() => {
    if (text === null || text.length > MAX_LENGTH) window.localStorage.removeItem(PREFIX + name)
    else window.localStorage.setItem(PREFIX + name, `${Date.now()} ${text}`)
    const names = privateNames()
    for (const old of names.slice(0, Math.max(0, names.length - MAX_ENTRIES)))
      window.localStorage.removeItem(old)
  })
}

/** To be called before anything is read: drops what is another person's. */
export function keepPrivateFor(owner: string): void {
  tried(() => {
    if (window.localStorage.getItem(OWNER) === owner) return
    clearPrivate()
    window.localStorage.setItem(OWNER, owner)
  })
}

export function clearPrivate(): void {
  tried(() => {
    for (const name of [...privateNames(), OWNER]) window.localStorage.removeItem(name)
  })
  tried(() => window.indexedDB.deleteDatabase(PRIVATE_FILES))
}

/** The oldest first. */
function privateNames(): string[] {
  const storage = window.localStorage
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
  const age = (name: string) => Number.parseInt(storage.getItem(name) ?? '', 10)
  return names.filter((name) => name.startsWith(PREFIX)).sort((a, b) => age(a) - age(b))
}

const textOf = (stored: string | null) => stored?.slice(stored.indexOf(' ') + 1) ?? null

function tried<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined // forbidden or full: the page works, it only forgets
  }
}
