import { FormField } from '@/components/ui/form-field'
import { Select } from '@/components/ui/select'
import { type FieldDraft, LIMITS, type Limit, rulesFor, type TextRule } from './field-draft'
import { type PartProps, Text } from './field-inputs'
import { MoreSection } from './more-section'

export const RuleText = ({ rule, field, onChange }: PartProps & { rule: TextRule }) => (
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
export function LimitFields({ field, onChange }: PartProps) {
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
