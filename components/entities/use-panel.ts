import { parseAsBoolean, parseAsString, useQueryStates } from 'nuqs'
import { useMemo } from 'react'

const PARAMS = {
  /** `persistenceId` of the open record. */
  record: parseAsString,
  /** Another entity's record over it: `City:country:DE:name:Bonn`; other colons are escaped. */
  peek: parseAsString,
  edit: parseAsBoolean.withDefault(false),
  create: parseAsBoolean.withDefault(false),
  /** What a new record begins with: `customer:7`; other colons are escaped. */
  with: parseAsString,
  /** The part of the record that is shown first. */
  tab: parseAsString,
}

const NOTHING = { peek: null, edit: null, create: null, with: null, tab: null }

/** The record of an entity with these values, by field. */
export type Peek = { entity: string; values: Record<string, string> }

/** What is open beside the table, kept in the page's address so that it can be shared. */
export function usePanel() {
  const [{ record, peek, edit, create, with: values, tab }, set] = useQueryStates(PARAMS, {
    history: 'push',
    scroll: false,
  })
  return useMemo(
    () => ({
      record,
      peeked: peek ? parsePeek(peek) : null,
      isEditing: edit,
      isCreating: create,
      /** By field, of a record to create. */
      initial: values ? pairsOf(partsOf(values)) : null,
      tab,
      open: (id: string) => set({ record: id, ...NOTHING }),
      openToEdit: (id: string) => set({ record: id, ...NOTHING, edit: true }),
      // With the record that is shown: the address may still be that of the one before.
      edit: (on: boolean) => set({ record, edit: on || null }),
      create: () => set({ record: null, ...NOTHING, create: true }),
      peek: (peeked: Peek) => set({ peek: peekText(peeked) }),
      closePeek: () => set({ peek: null }),
      close: () => set({ record: null, ...NOTHING }),
    }),
    [record, peek, edit, create, values, tab, set],
  )
}

const escapePart = (text: string) => text.replace(/[\\:]/g, '\\$&')
const plainPart = (text: string) => text.replace(/\\(.)/gs, '$1')

export const peekText = ({ entity, values }: Peek): string =>
  `${escapePart(entity)}:${valuesText(values)}`

/** Values by field, as the address has them. */
export const valuesText = (values: Peek['values']): string =>
  Object.entries(values).flat().map(escapePart).join(':')

export function parsePeek(text: string): Peek | null {
  const [entity, ...parts] = partsOf(text)
  const values = pairsOf(parts)
  return entity && values ? { entity, values } : null
}

/** Null unless each name has a value. */
function pairsOf(parts: readonly string[]): Record<string, string> | null {
  if (parts.length === 0 || parts.length % 2 === 1) return null
  const pairs = parts.flatMap((name, at) => (at % 2 ? [] : [[name, parts[at + 1] ?? '']]))
  return Object.fromEntries(pairs)
}

function partsOf(text: string): string[] {
  const parts: string[] = []
  for (const [, part = '', end] of text.matchAll(/((?:\\.|[^\\:])*)(:|$)/gs)) {
    parts.push(plainPart(part))
    if (!end) break
  }
  return parts
}
