'use client'
import { Input } from '@/components/ui/input'
import { NativeSelect } from '@/components/ui/native-select'
import { countOf } from '@/components/ui/number'
import type { DefinitionProposal } from '@/lib/import/proposal-contract'
import type { DraftDefinition, DraftProperty } from './draft-definition'
import { PropertyRow } from './property-row'

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
