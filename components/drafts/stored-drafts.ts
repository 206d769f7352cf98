/** What a form held, and of which version of the stored object. */
export type StoredDraft = { savedAt: number; version: string | null; values: unknown }
type Key = { userId: string; form: string }

// The number changes with the shape of what is stored.
const PREFIX = 'engine:draft:1:'
const MAX_DRAFTS = 30
const MAX_DRAFT_CHARS = 100_000
const MAX_AGE_MS = 7 * 24 * 60 * 60_000

const keyOf = ({ userId, form }: Key) => `${PREFIX}${userId}:${form}`

/** The draft of a form, or null: without one, with one that is too old, or without storage. */
export function readDraft(key: Key): StoredDraft | null {
  return tried(() => parse(localStorage.getItem(keyOf(key))), null)
}

/** Keeps the latest `MAX_DRAFTS`; a draft that is too large is not kept, nor is an older one of the form. */
export function writeDraft(key: Key, draft: StoredDraft): void {
  const text = JSON.stringify(draft)
  if (text.length > MAX_DRAFT_CHARS) {
    dropDraft(key)
    return
  }
  tried(() => {
    prune(keyOf(key))
    localStorage.setItem(keyOf(key), text)
  })
}

export const dropDraft = (key: Key): void => tried(() => localStorage.removeItem(keyOf(key)))

/** Of a user who signs out. */
export function dropDraftsOf(userId: string): void {
  tried(() => {
    const own = keyOf({ userId, form: '' })
    for (const name of names()) if (name.startsWith(own)) localStorage.removeItem(name)
  })
}

/** Removes what is too old, and the oldest beyond the number that is kept with `added`. */
function prune(added: string): void {
  const kept: { name: string; savedAt: number }[] = []
  for (const name of names()) {
    const draft = parse(localStorage.getItem(name))
    if (!draft) localStorage.removeItem(name)
    else if (name !== added) kept.push({ name, savedAt: draft.savedAt })
  }
  kept.sort((a, b) => b.savedAt - a.savedAt)
  for (const { name } of kept.slice(MAX_DRAFTS - 1)) localStorage.removeItem(name)
}

const names = () => Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))

function parse(text: string | null): StoredDraft | null {
  const draft = text === null ? null : tried(() => JSON.parse(text) as StoredDraft, null)
  return draft && Date.now() - draft.savedAt < MAX_AGE_MS ? draft : null
}

/** A browser may refuse storage, or have no room: then there are no drafts. */
function tried(act: () => void): void
function tried<T>(act: () => T, otherwise: T): T
function tried<T>(act: () => T, otherwise?: T): T | undefined {
  try {
    return act()
  } catch {
    return otherwise
  }
}
