import type { Side } from './resolution'

type Choices = readonly { value: Side; label: string }[]

/** The words for the sides of a conflict. */
export type Wording = {
  current: string
  base: string
  incoming: string
  /** About one record, and about all. */
  one: Choices
  all: Choices
  /** What was chosen. */
  chosen: Record<Side, string>
  taken: string
  /** Of a record that was deleted here, before the choice and after it. */
  deleted: string
  wasDeleted: Record<Side, string>
  /** Of a record without fields to compare. */
  edited: string
  wasEdited: string
}

export const UPGRADE: Wording = {
  current: 'Mine',
  base: 'Before',
  incoming: 'Plugin’s',
  one: [
    { value: 'keep', label: 'Keep mine' },
    { value: 'take', label: 'Take the plugin’s' },
  ],
  all: [
    { value: 'keep', label: 'Keep all mine' },
    { value: 'take', label: 'Take all the plugin’s' },
  ],
  chosen: { keep: 'Mine kept', take: 'Plugin’s taken' },
  taken: 'taken',
  deleted: 'Deleted here. Taking the plugin’s creates it again.',
  wasDeleted: { keep: 'Deleted here; it stays deleted.', take: 'Deleted here; created again.' },
  edited: 'Edited here.',
  wasEdited: 'Edited here.',
}

export const ROLLBACK: Wording = {
  current: 'Now',
  base: 'Installed',
  incoming: 'Before',
  one: [
    { value: 'keep', label: 'Keep' },
    { value: 'take', label: 'Roll back' },
  ],
  all: [
    { value: 'keep', label: 'Keep all' },
    { value: 'take', label: 'Roll back all' },
  ],
  chosen: { keep: 'Kept', take: 'Rolled back' },
  taken: 'rolled back',
  deleted: 'Deleted since. Rolling it back creates it again.',
  wasDeleted: { keep: 'Deleted since; it stays deleted.', take: 'Deleted since; created again.' },
  edited: 'Created by the install and edited since. Rolling it back moves it to Recently changed.',
  wasEdited: 'Created by the install and edited since.',
}
