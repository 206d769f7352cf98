import { DISPLAY_ROLES, type DisplayRole } from '@/lib/definitions/display'
import type { Display } from '@/lib/definitions/display-forms'
import { hasFieldsOf } from '@/lib/definitions/map-display'
import { type ExactJson, plainText } from '@/lib/values/exact-json'
import { type Meta, stated } from './written'

/** How records are shown, as it is edited: names of fields, empty where the definition says nothing. */
export type EntityDisplayDraft = Readonly<Record<DisplayRole, string>> & {
  columns: readonly string[]
  /** Empty: the table. */
  form: string
}

export function entityDisplayOf(display: Meta = {}): EntityDisplayDraft {
  const textOf = (part: string) => plainText(display[part] ?? '')
  return {
    ...(Object.fromEntries(DISPLAY_ROLES.map((role) => [role, textOf(role)])) as Roles),
    columns: ((display.columns ?? []) as ExactJson[]).map((name) => plainText(name)),
    form: textOf('form'),
  }
}

type Roles = Record<DisplayRole, string>

/** As the entity has it; undefined where nothing is said. */
export function writtenDisplay(draft: EntityDisplayDraft, former: Meta = {}): Meta | undefined {
  const { columns, ...names } = draft
  const display = stated<Meta>({
    ...former,
    ...Object.fromEntries(Object.entries(names).map(([part, text]) => [part, text || undefined])),
    columns: columns.length > 0 ? ([...columns] as ExactJson) : undefined,
  })
  return Object.keys(display).length > 0 ? display : undefined
}

/** Without fields that are removed, and a form that is about one of them. */
export function withoutFields(
  draft: EntityDisplayDraft,
  removed: ReadonlySet<string>,
): EntityDisplayDraft {
  const left = DISPLAY_ROLES.map((role) => [role, removed.has(draft[role]) ? '' : draft[role]])
  const roles = Object.fromEntries(left) as Roles
  const isLost = DISPLAY_ROLES.some((role) => roles[role] !== draft[role])
  const named = Object.fromEntries(left.filter(([, name]) => name !== '')) as Partial<Roles>
  const form = isLost && !hasFieldsOf(draft.form as Display, named) ? '' : draft.form
  return { ...roles, columns: draft.columns.filter((name) => !removed.has(name)), form }
}
