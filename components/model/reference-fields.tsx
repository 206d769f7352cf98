import { FormField } from '@/components/ui/form-field'
import { Select } from '@/components/ui/select'
import { type PartProps, Text } from './field-inputs'

/** An entity that fields may refer to. */
export type Target = { name: string; keys: readonly string[] }

type Props = PartProps & {
  /** Names of the other fields. */
  others: readonly string[]
  entities: readonly Target[]
}

const NONE = ''
const ON_DELETE = [
  { value: NONE, label: 'Prevents it' },
  { value: 'setNull', label: 'Clears this field' },
  { value: 'cascade', label: 'Deletes the records, too' },
]

/** To which records a field refers, and what their deletion does. */
export function ReferenceFields({ field, others, entities, onChange }: Props) {
  const names = entities.map(({ name }) => name)
  const known = field.entity === NONE || names.includes(field.entity) ? [] : [field.entity]
  const options = [NONE, ...known, ...names].map((value) => ({ value, label: value || 'Nothing' }))
  const choose = (entity: string) => {
    const [key = NONE] = entities.find(({ name }) => name === entity)?.keys ?? []
    onChange({ entity, field: key, further: {}, onDelete: NONE })
  }
  return (
    <>
      <FormField label="Refers to">
        <Select
          placeholder="Nothing"
          value={field.entity}
          onValueChange={choose}
          options={options}
        />
      </FormField>
      {field.entity !== NONE && (
        <>
          <FormField label="When that record is deleted">
            <Select
              placeholder="Prevents it"
              value={field.onDelete}
              onValueChange={(onDelete) => onChange({ onDelete })}
              options={ON_DELETE}
            />
          </FormField>
          <FormField label={`Field of ${field.entity}`} hint="Its key, or a unique field">
            <Text value={field.field} onChange={(text) => onChange({ field: text })} />
          </FormField>
          <FurtherFields {...{ field, others, entities, onChange }} />
        </>
      )}
    </>
  )
}

/** Of records that several fields identify: which of the own fields have the others. */
function FurtherFields({ field, others, entities, onChange }: Props) {
  const keys = entities.find(({ name }) => name === field.entity)?.keys ?? []
  const isOfKey = keys.includes(field.field)
  const targets = new Set([
    ...(isOfKey ? keys.filter((key) => key !== field.field) : []),
    ...Object.keys(field.further),
  ])
  const options = [NONE, ...others].map((value) => ({ value, label: value || 'None' }))
  return [...targets].map((target) => (
    <FormField key={target} label={`The ${target} of ${field.entity} is in`}>
      <Select
        placeholder="None"
        value={field.further[target] ?? NONE}
        onValueChange={(own) => onChange({ further: { ...field.further, [target]: own } })}
        options={options}
      />
    </FormField>
  ))
}
