import { PlusIcon, Trash2Icon } from 'lucide-react'
import type { FilterField } from '@/components/data-table/filter/field'
import { ValueInput } from '@/components/data-table/filter/value-input'
import { ActorValues } from '@/components/data-table/filter/values/actor-values'
import { Button, IconButton } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { ActorValue } from './actor-value'
import type { ForcedValue, PolicyDraft } from './policy-draft'
import { Section } from './section'

type Props = {
  draft: PolicyDraft
  onChange: (part: Partial<PolicyDraft>) => void
  fields: readonly FilterField[]
}

/** Values that created and changed records get, whatever was sent. */
export function PolicyValues({ draft, onChange, fields }: Props) {
  const { set } = draft
  const replace = (at: number, value: ForcedValue | null) =>
    onChange({ set: set.flatMap((each, index) => (index === at ? (value ?? []) : each)) })
  return (
    <Section
      title="Forced values"
      hint="Put into every record that it creates or changes, whatever was sent."
      choice={
        <Button
          size="sm"
          variant="ghost"
          onClick={() => onChange({ set: [...set, { field: '', value: '' }] })}
        >
          <PlusIcon aria-hidden /> Value
        </Button>
      }
    >
      {set.length > 0 && (
        <ActorValues value={ActorValue}>
          <ul className="grid gap-3 rounded-lg border p-3">
            {set.map((value, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has nothing else of its own
              <li key={at}>
                <ForcedRow
                  {...{ value, fields }}
                  onChange={(next) => replace(at, next)}
                  onRemove={() => replace(at, null)}
                />
              </li>
            ))}
          </ul>
        </ActorValues>
      )}
    </Section>
  )
}

type RowProps = {
  value: ForcedValue
  fields: readonly FilterField[]
  onChange: (value: ForcedValue) => void
  onRemove: () => void
}

function ForcedRow({ value: { field, value }, fields, onChange, onRemove }: RowProps) {
  const known = fields.find(({ name }) => name === field)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-1.5 sm:grid-cols-[12rem_minmax(0,1fr)_auto]">
      <Select
        aria-label="Field"
        placeholder="Choose a field"
        value={field || null}
        onValueChange={(next) => onChange({ field: next, value: '' })}
        options={[
          ...fields.map(({ name, label }) => ({ value: name, label: label ?? name })),
          ...(known || field === '' ? [] : [{ value: field, label: field }]),
        ]}
      />
      <div className="order-last col-span-full min-w-0 sm:order-none sm:col-span-1">
        {field !== '' && (
          <ValueInput
            field={known ?? { name: field, kind: 'text' }}
            operator="eq"
            value={value}
            onChange={(next) => onChange({ field, value: next })}
          />
        )}
      </div>
      <IconButton icon={Trash2Icon} size="icon" label="Remove the value" onClick={onRemove} />
    </div>
  )
}
