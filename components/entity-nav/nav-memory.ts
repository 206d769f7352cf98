/** What a person arranged in the sidebar's list of entities. */
export type NavMemory = {
  /** Entities kept at the top, in the order in which they were pinned. */
  pins: readonly string[]
  /** Plugins whose entities are folded away; `''` for entities without a plugin. */
  closed: readonly string[]
}

/** A cookie, so that the server draws the list as it was left and nothing moves. */
export const NAV_COOKIE = 'entity-nav'

const EMPTY: NavMemory = { pins: [], closed: [] }
const MAX_NAMES = 30
/** Browsers refuse cookies of more than 4,096 bytes. */
const MAX_BYTES = 3_000

/** Reads the cookie's text; whatever else it holds counts as nothing. */
export function parseNavMemory(text: string | undefined): NavMemory {
  try {
    const read = JSON.parse(text ?? '{}')
    return { pins: namesIn(read?.pins), closed: namesIn(read?.closed) }
  } catch {
    return EMPTY
  }
}

const namesIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((name) => typeof name === 'string').slice(-MAX_NAMES) : []

/** The list without `name` if it has it, else with it at its end. */
export const toggled = (list: readonly string[], name: string): string[] =>
  list.includes(name) ? list.filter((each) => each !== name) : [...list, name]

/** The cookie's text: the names that were added first are left out where all would not fit. */
export function navMemoryText({ pins, closed }: NavMemory): string {
  const kept = { pins: pins.slice(-MAX_NAMES), closed: closed.slice(-MAX_NAMES) }
  let text = encodeURIComponent(JSON.stringify(kept))
  while (text.length > MAX_BYTES && (kept.closed.length > 0 || kept.pins.length > 0)) {
    if (kept.closed.length > 0) kept.closed = kept.closed.slice(1)
    else kept.pins = kept.pins.slice(1)
    text = encodeURIComponent(JSON.stringify(kept))
  }
  return text
}

export function keepNavMemory(memory: NavMemory): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${NAV_COOKIE}=${navMemoryText(memory)}; path=/; max-age=31536000; samesite=lax`
}
