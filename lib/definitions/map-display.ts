import { DISPLAY_ROLES, type DisplayRole, type EntityDisplay } from './display'
import type { Display } from './display-forms'

/** With other names of fields; those without one are left out, and forms without their fields. */
export function mapDisplay(
  { columns, form, ...roles }: EntityDisplay,
  nameOf: (field: string, role: DisplayRole | 'columns') => string | null,
): EntityDisplay | undefined {
  const fields = Object.fromEntries(
    DISPLAY_ROLES.flatMap((role) => {
      const name = roles[role] === undefined ? null : nameOf(roles[role], role)
      return name === null ? [] : [[role, name] as const]
    }),
  ) as Partial<Record<DisplayRole, string>>
  const shown = columns?.flatMap((name) => nameOf(name, 'columns') ?? [])
  const mapped = {
    ...fields,
    ...(shown && shown.length > 0 ? { columns: shown } : {}),
    ...(form && hasFieldsOf(form, fields) ? { form } : {}),
  }
  return Object.keys(mapped).length > 0 ? mapped : undefined
}

/** Whether the fields that a form of showing records is about are named. */
export function hasFieldsOf(
  form: Display,
  roles: { readonly [role in DisplayRole]?: string | null | undefined },
): boolean {
  const has = (role: DisplayRole) => roles[role] !== undefined && roles[role] !== null
  if (form === 'cards') return has('image')
  if (form === 'calendar') return has('date')
  if (form === 'map') return has('place') || (has('latitude') && has('longitude'))
  return true
}
