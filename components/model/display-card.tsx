import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import { Card } from '@/components/ui/card'
import { FormField } from '@/components/ui/form-field'
import { Select } from '@/components/ui/select'
import { TagInput } from '@/components/ui/tag-input'
import type { DisplayRole } from '@/lib/definitions/display'
import { isJsonKind, isListKind, isNumberKind, isTextKind, type Kind } from '@/lib/kinds/kind'
import type { EntityDisplayDraft } from './entity-display'
import { type FieldDraft, kindOf } from './field-draft'

const FORMS = [
  { value: '', label: 'Table' },
  { value: 'cards', label: 'Cards, by the images' },
  { value: 'calendar', label: 'Calendar, by the days' },
  { value: 'map', label: 'Map, by the places' },
]

type Role = {
  role: DisplayRole
  label: string
  hint: string
  fits: (kind: Kind, field: FieldDraft) => boolean
}

const ROLES: readonly Role[] = [
  {
    ...{ role: 'title', label: 'Records are called by', hint: 'A text' },
    fits: (kind, { entity }) => isTextKind(kind) && entity === '',
  },
  {
    ...{ role: 'image', label: 'Images are in', hint: 'Addresses, or a reference to images' },
    fits: (kind, { entity }) => isTextKind(kind) || isJsonKind(kind) || entity !== '',
  },
  {
    ...{ role: 'date', label: 'Days are in', hint: 'A date or a time' },
    fits: (kind) => CONSOLE_KINDS[kind].moment !== null,
  },
  {
    ...{ role: 'place', label: 'Places are in', hint: 'An object, or two numbers:' },
    fits: (kind) => isJsonKind(kind) && !isListKind(kind),
  },
  {
    ...{ role: 'latitude', label: 'Latitudes are in', hint: 'A number' },
    fits: isNumberKind,
  },
  {
    ...{ role: 'longitude', label: 'Longitudes are in', hint: 'A number' },
    fits: isNumberKind,
  },
]

type Props = {
  display: EntityDisplayDraft
  fields: readonly FieldDraft[]
  /** Names of the key. */
  keys: readonly string[]
  onChange: (display: EntityDisplayDraft) => void
}

/** How people see the records of an entity. */
export function DisplayCard({ display, fields, keys, onChange }: Props) {
  const present = fields.filter(({ isRemoved }) => !isRemoved)
  const names = [...new Set([...keys, ...present.map(({ name }) => name)])]
  const known = FORMS.some(({ value }) => value === display.form || display.form === 'table')
  const form = display.form === 'table' ? '' : display.form
  return (
    <Card title="Display" description="Values and what the API returns do not depend on it">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <FormField
          label="Columns"
          className="sm:col-span-2"
          hint="What lists show at first, in this order; empty: the key and the first fields"
        >
          <TagInput
            value={display.columns}
            suggestions={names}
            onValueChange={(columns) => onChange({ ...display, columns })}
          />
        </FormField>
        <FormField label="Lists open as">
          <Select
            placeholder="Table"
            value={form}
            onValueChange={(next) => onChange({ ...display, form: next })}
            options={known ? FORMS : [...FORMS, { value: form, label: form }]}
          />
        </FormField>
        {ROLES.map(({ role, label, hint, fits }) => (
          <FormField key={role} label={label} hint={hint}>
            <Select
              placeholder="As it is found"
              value={display[role]}
              onValueChange={(name) => onChange({ ...display, [role]: name })}
              options={optionsOf(
                present.filter((field) => fits(kindOf(field.type), field)),
                display[role],
              )}
            />
          </FormField>
        ))}
      </div>
    </Card>
  )
}

function optionsOf(fields: readonly FieldDraft[], chosen: string) {
  const names = new Set([...fields.map(({ name }) => name), ...(chosen ? [chosen] : [])])
  return [
    { value: '', label: 'As it is found' },
    ...[...names].map((name) => ({ value: name, label: name })),
  ]
}
