import { FormField } from '@/components/ui/form-field'
import { Select } from '@/components/ui/select'
import { ChoiceFields } from './choice-fields'
import { DisplayFields } from './display-fields'
import { rulesFor } from './field-draft'
import { Flags, type PartProps, Text } from './field-inputs'
import { LimitFields, RuleText } from './limit-fields'
import { MoreSection } from './more-section'
import { TextSearchFields } from './text-search-fields'

type Props = PartProps & {
  others: readonly string[]
  after: string | null
  onPlace: (after: string | null) => void
}

/** The parts of a field that few need, each in a section that opens. */
export function MoreOfField({ field, onChange, others, after, onPlace }: Props) {
  const { texts, flags, description, example } = field
  const isComputed = texts.computed.trim() !== ''
  const first = { value: FIRST, label: 'First' }
  const places = others.map((name) => ({ value: `after ${name}`, label: `After ${name}` }))
  return (
    <>
      {!isComputed && <ChoiceFields field={field} onChange={onChange} />}
      <DisplayFields field={field} onChange={onChange} />
      {!isComputed && <LimitFields field={field} onChange={onChange} />}
      <MoreSection title="Search" isUsed={flags.indexed || flags.searchable}>
        <Flags legend="Search" flags={['indexed', 'searchable']} {...{ field, onChange }} />
        {flags.searchable && rulesFor(field.type).text && (
          <TextSearchFields field={field} onChange={onChange} />
        )}
      </MoreSection>
      <MoreSection title="Description and example" isUsed={description + example !== ''}>
        <FormField label="Description" className="sm:col-span-2">
          <Text value={description} onChange={(text) => onChange({ description: text })} />
        </FormField>
        {!isComputed && (
          <FormField label="Example" hint="For the documentation of the API">
            <Text value={example} onChange={(text) => onChange({ example: text })} />
          </FormField>
        )}
      </MoreSection>
      <MoreSection title="Computed" isUsed={isComputed}>
        <FormField
          label="Expression"
          className="sm:col-span-2"
          hint="Of other fields, such as quantity * price: the database computes the value, and nobody writes it"
        >
          <RuleText rule="computed" {...{ field, onChange }} />
        </FormField>
      </MoreSection>
      {others.length > 0 && (
        <MoreSection title="Position" isUsed={false}>
          <FormField label="Position">
            <Select
              value={after === null ? FIRST : `after ${after}`}
              onValueChange={(place) => onPlace(place === FIRST ? null : place.slice(6))}
              options={[first, ...places]}
            />
          </FormField>
        </MoreSection>
      )}
    </>
  )
}

const FIRST = 'first'
