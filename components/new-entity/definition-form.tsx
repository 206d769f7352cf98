import { ColumnSamples } from '@/components/imports/column-samples'
import { CONSOLE_KINDS } from '@/components/kinds/kinds'

import { Checkbox } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/input'
import { NativeSelect } from '@/components/ui/native-select'
import { countOf } from '@/components/ui/number'
import type { DefinitionProposal } from '@/lib/import/contract'
import type { DraftDefinition, DraftProperty } from './draft-definition'

type Props = {
  draft: DraftDefinition
  proposal: DefinitionProposal
  onChange: (draft: DraftDefinition) => void
}

const GENERATED = ''

/** The name, the key and the properties of an entity that is made of a file. */
export function DefinitionForm({ draft, proposal, onChange }: Props) {
  const { name, key, properties } = draft
  const { columns, rows } = proposal
  const change = (at: number, part: Partial<DraftProperty>) => {
    const before = properties[at]
    const renamed = part.name !== undefined && before?.name === key ? { key: part.name } : {}
    const changed = properties.map((one, index) => (index === at ? { ...one, ...part } : one))
    onChange({ ...draft, ...renamed, properties: changed })
  }
  const keys = properties.filter(
    ({ type, name: property }, at) =>
      property === key || (type !== null && columns[at]?.unique && columns[at]?.filled),
  )
  return (
    <>
      <div className="flex flex-wrap gap-4">
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the input is inside */}
        <label className="grid min-w-48 flex-1 gap-1 text-[13px]">
          <span className="font-medium">Name</span>
          <Input
            value={name}
            autoComplete="off"
            onChange={(event) => onChange({ ...draft, name: event.target.value })}
          />
        </label>
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the select is inside */}
        <label className="grid min-w-48 flex-1 content-start gap-1 text-[13px]">
          <span className="font-medium">Key</span>
          <NativeSelect
            value={key ?? GENERATED}
            options={[
              { value: GENERATED, label: 'A number that the server gives' },
              ...keys.map((property) => ({ value: property.name, label: property.name })),
            ]}
            onValueChange={(value) => onChange({ ...draft, key: value || null })}
          />
        </label>
      </div>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is inside */}
      <label className="flex items-start gap-2 text-[13px]">
        <Checkbox
          className="mt-0.5"
          checked={draft.history}
          onCheckedChange={(history) => onChange({ ...draft, history })}
        />
        <span>
          <span className="font-medium">Keep history</span>
          <span className="block text-muted-foreground">
            Every change of a record can be seen and taken back
          </span>
        </span>
      </label>
      <section aria-label="Properties" className="grid gap-2">
        <p className="text-[13px] text-muted-foreground">
          {countOf(properties.length, 'property', 'properties')}, by the first{' '}
          {countOf(rows, 'row')}. Nothing is stored yet.
        </p>
        <ul className="divide-y rounded-md border bg-card">
          {properties.map((property, at) => (
            <PropertyRow
              key={property.column}
              property={property}
              samples={columns[at]?.samples ?? []}
              isKey={property.name === key}
              onChange={(part) => change(at, part)}
            />
          ))}
        </ul>
      </section>
    </>
  )
}

type PropertyRowProps = {
  property: DraftProperty
  samples: readonly string[]
  isKey: boolean
  onChange: (part: Partial<DraftProperty>) => void
}

const TYPES = Object.values(CONSOLE_KINDS).flatMap(({ types }) => types)
const LEFT_OUT = ''
const OPTIONS = [
  ...TYPES.map((type) => ({ value: type, label: type })),
  { value: LEFT_OUT, label: 'Leave out' },
]

/** A column of the file and the property that it becomes. */
function PropertyRow({ property, samples, isKey, onChange }: PropertyRowProps) {
  const { column, name, type, required, maxLength } = property
  const isOut = type === null
  return (
    <li className="grid items-center gap-x-3 gap-y-1.5 px-3 py-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_8rem_13rem]">
      <ColumnSamples {...{ column, samples }} />
      <Input
        aria-label={`Name of the property of ${column}`}
        value={name}
        disabled={isOut}
        autoComplete="off"
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <NativeSelect
        aria-label={`Type of ${column}`}
        className="w-full"
        value={type ?? LEFT_OUT}
        options={OPTIONS}
        onValueChange={(value) => onChange({ type: value || null })}
      />
      <span className="flex items-center gap-3 text-xs text-muted-foreground">
        <span className="flex items-center gap-1.5">
          <Checkbox
            checked={isKey || required}
            disabled={isKey || isOut}
            aria-label={isKey ? `${column} is the key` : `${column} is required`}
            onCheckedChange={(checked) => onChange({ required: checked })}
          />
          {isKey ? 'Key' : 'Required'}
        </span>
        {type === 'string' && (
          // biome-ignore lint/a11y/noLabelWithoutControl: the input is inside
          <label className="flex items-center gap-1.5">
            <span>Up to</span>
            <Input
              className="h-7 w-16 text-right tabular-nums"
              aria-label={`Most characters of ${column}`}
              inputMode="numeric"
              autoComplete="off"
              placeholder="any"
              value={maxLength ?? ''}
              onChange={(event) => onChange({ maxLength: lengthOf(event.target.value) })}
            />
          </label>
        )}
      </span>
    </li>
  )
}

/** Other characters are not taken; without any there is no limit of one's own. */
function lengthOf(text: string): number | undefined {
  const digits = text.replace(/\D/g, '').slice(0, 6)
  return digits === '' ? undefined : Number(digits)
}
