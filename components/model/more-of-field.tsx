import { FormField } from '@/components/ui/form-field'
import { Select } from '@/components/ui/select'
import { ChoiceFields } from './choice-fields'
import { DisplayFields } from './display-fields'
import { type FieldDraft, LIMITS, type Limit, rulesFor, type TextRule } from './field-draft'
import { Flags, type PartProps, Text } from './field-inputs'
import { MoreSection } from './more-section'

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

const RuleText = ({ rule, field, onChange }: PartProps & { rule: TextRule }) => (
  <Text
    value={field.texts[rule]}
    onChange={(text) => onChange({ texts: { ...field.texts, [rule]: text } })}
  />
)

const LIMIT_LABELS: Record<Limit, string> = {
  minLength: 'Least characters',
  maxLength: 'Most characters',
  min: 'Least value',
  max: 'Greatest value',
}

const NONE = ''
const FORMATS = ['email', 'url', 'uuid', 'phone'].map((value) => ({ value, label: value }))
const WRITTEN_IN = [
  { value: NONE, label: 'Plain text' },
  { value: 'text/markdown', label: 'Markdown' },
]

/** Of texts their length and form, of numbers the value. */
function LimitFields({ field, onChange }: PartProps) {
  const isFor = rulesFor(field.type)
  const shown = LIMITS.filter((limit) => (limit.endsWith('Length') ? isFor.text : isFor.number))
  if (shown.length === 0) return null
  return (
    <MoreSection title="Limits and format" isUsed={isLimited(field)}>
      {shown.map((limit) => (
        <FormField key={limit} label={LIMIT_LABELS[limit]}>
          <Text
            value={field.limits[limit]}
            onChange={(text) => onChange({ limits: { ...field.limits, [limit]: text } })}
          />
        </FormField>
      ))}
      {isFor.text && <TextFields field={field} onChange={onChange} />}
    </MoreSection>
  )
}

const isLimited = ({ limits, texts }: FieldDraft) =>
  [...Object.values(limits), texts.pattern, texts.format, texts.contentMediaType].some(
    (text) => text !== NONE,
  )

function TextFields({ field, onChange }: PartProps) {
  const { contentMediaType, format } = field.texts
  const other = WRITTEN_IN.some(({ value }) => value === contentMediaType)
    ? []
    : [{ value: contentMediaType, label: contentMediaType }]
  const change = (part: Partial<FieldDraft['texts']>) =>
    onChange({ texts: { ...field.texts, ...part } })
  return (
    <>
      <FormField
        label="Pattern"
        className="sm:col-span-2"
        hint="A regular expression (RE2), such as ^[A-Z]{3}$"
      >
        <RuleText rule="pattern" {...{ field, onChange }} />
      </FormField>
      <FormField label="Format">
        <Select
          placeholder="Any"
          value={format}
          onValueChange={(next) => change({ format: next })}
          options={[{ value: NONE, label: 'Any' }, ...FORMATS]}
        />
      </FormField>
      <FormField label="Written in">
        <Select
          placeholder="Plain text"
          value={contentMediaType}
          onValueChange={(next) => change({ contentMediaType: next })}
          options={[...WRITTEN_IN, ...other]}
        />
      </FormField>
    </>
  )
}
