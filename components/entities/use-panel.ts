'use client'
import { parseAsBoolean, parseAsString, useQueryStates } from 'nuqs'
import { useMemo } from 'react'

const PARAMS = {
  /** `persistenceId` of the open record. */
  record: parseAsString,
  /** Another entity's record over it: `Country:code:DE`; colons of names are escaped. */
  peek: parseAsString,
  edit: parseAsBoolean.withDefault(false),
  create: parseAsBoolean.withDefault(false),
}

export type Peek = { entity: string; field: string; value: string }

/** What is open beside the table, kept in the page's address so that it can be shared. */
export function usePanel() {
  const [{ record, peek, edit, create }, set] = useQueryStates(PARAMS, {
    history: 'push',
    scroll: false,
  })
  return useMemo(
    () => ({
      record,
      peeked: peek ? parsePeek(peek) : null,
      isEditing: edit,
      isCreating: create,
      open: (id: string) => set({ record: id, peek: null, edit: null, create: null }),
      edit: (on: boolean) => set({ edit: on || null }),
      create: () => set({ create: true, record: null, peek: null, edit: null }),
      peek: ({ entity, field }: { entity: string; field: string }, value: string) =>
        set({ peek: peekText({ entity, field, value }) }),
      closePeek: () => set({ peek: null }),
      close: () => set({ record: null, peek: null, edit: null, create: null }),
    }),
    [record, peek, edit, create, set],
  )
}

const escapeName = (name: string) => name.replace(/[\\:]/g, '\\$&')
const plainName = (text = '') => text.replace(/\\(.)/gs, '$1')

export const peekText = ({ entity, field, value }: Peek): string =>
  `${escapeName(entity)}:${escapeName(field)}:${value}`

export function parsePeek(text: string): Peek | null {
  const name = String.raw`((?:\\.|[^\\:])+)`
  const found = new RegExp(`^${name}:${name}:(.*)$`, 's').exec(text)
  return found && { entity: plainName(found[1]), field: plainName(found[2]), value: found[3] ?? '' }
}
