type Entry = [name: string, value: string]

/** Of names in lower case, to which all that is asked leads; names come from our own code, and are few. */
const MAX_NAMES = 500
const names = new Map<string, string>()

/** Without spaces around it, and of characters that need no further look. */
const PLAIN_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/**
 * Headers of a response as a list. They behave as those of browsers, which take several times as long, but keep the order
 * in which they were set.
 */
export class PlainHeaders implements Headers {
  readonly #entries: Entry[] = []

  constructor(init?: HeadersInit) {
    if (!init) return
    const pairs = Symbol.iterator in init ? init : Object.entries(init)
    for (const [name = '', value = ''] of pairs as Iterable<[string, string]>)
      this.append(name, value)
  }

  get(name: string): string | null {
    const found = this.#named(nameOf(name)).map(([, value]) => value)
    return found.length > 0 ? found.join(', ') : null
  }

  has(name: string): boolean {
    return this.#find(nameOf(name)) !== undefined
  }

  set(name: string, value: string): void {
    const key = nameOf(name)
    const known = this.#find(key)
    if (!known) this.#entries.push([key, plainValue(value)])
    else if (key === COOKIE) {
      this.delete(key)
      this.#entries.push([key, plainValue(value)])
    } else known[1] = plainValue(value)
  }

  append(name: string, value: string): void {
    const key = nameOf(name)
    const known = key === COOKIE ? undefined : this.#find(key)
    if (known) known[1] = `${known[1]}, ${plainValue(value)}`
    else this.#entries.push([key, plainValue(value)])
  }

  delete(name: string): void {
    const key = nameOf(name)
    for (let at = this.#entries.length - 1; at >= 0; at--)
      if (this.#entries[at]?.[0] === key) this.#entries.splice(at, 1)
  }

  getSetCookie(): string[] {
    return this.#named(COOKIE).map(([, value]) => value)
  }

  forEach(each: (value: string, name: string, headers: Headers) => void): void {
    for (const [name, value] of this.#entries) each(value, name, this)
  }

  entries() {
    return this.#entries.values() as HeadersIterator<Entry>
  }

  keys() {
    return this.#entries.map(([name]) => name).values() as HeadersIterator<string>
  }

  values() {
    return this.#entries.map(([, value]) => value).values() as HeadersIterator<string>
  }

  [Symbol.iterator]() {
    return this.entries()
  }

  #find(key: string): Entry | undefined {
    return this.#entries.find(([name]) => name === key)
  }

  #named(key: string): Entry[] {
    return this.#entries.filter(([name]) => name === key)
  }
}

/** Several of it can't be one. */
const COOKIE = 'set-cookie'

function nameOf(name: string): string {
  const known = names.get(name)
  if (known !== undefined) return known
  new Headers().has(name) // throws for what is no name
  const lower = name.toLowerCase()
  if (names.size < MAX_NAMES) names.set(name, lower)
  return lower
}

/** Throws a `TypeError` for what is no value. */
function plainValue(value: string): string {
  if (typeof value === 'string' && PLAIN_VALUE.test(value)) return value
  return new Headers([['any', value]]).get('any') ?? ''
}
