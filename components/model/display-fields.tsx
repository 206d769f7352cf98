import { FormField } from '@/components/ui/form-field'
import { Select } from '@/components/ui/select'
import type { DisplayDraft } from './display-draft'
import { rulesFor } from './field-draft'
import { Check, type PartProps, Text } from './field-inputs'
import { MoreSection } from './more-section'

const STYLES = [
  { value: '', label: 'Plain' },
  { value: 'percent', label: 'Percent: 0.25 is 25%' },
  { value: 'currency', label: 'Amount of money' },
  { value: 'bytes', label: 'Size in bytes' },
]

type DisplayProps = {
  display: DisplayDraft
  onChange: (part: Partial<DisplayDraft>) => void
}

/** How people see a field; its values do not depend on it. */
export function DisplayFields({ field, onChange }: PartProps) {
  const { display } = field
  const { group, hint, isHidden } = display
  const change = (part: Partial<DisplayDraft>) => onChange({ display: { ...display, ...part } })
  return (
    <MoreSection title="Display" isUsed={isUsed(display)}>
      <FormField label="Group" hint="The section of the form">
        <Text value={group} onChange={(text) => change({ group: text })} />
      </FormField>
      <FormField label="Hint" hint="Below the field in forms, in place of its description">
        <Text value={hint} onChange={(text) => change({ hint: text })} />
      </FormField>
      <Check
        label="Hidden in lists"
        hint="Lists do not show it at first"
        checked={isHidden}
        onChange={(next) => change({ isHidden: next })}
      />
      {rulesFor(field.type).number && <NumberFields display={display} onChange={change} />}
    </MoreSection>
  )
}

function isUsed({ labels: _, colors: __, ...display }: DisplayDraft): boolean {
  return Object.values(display).some((value) => value !== '' && value !== false)
}

function NumberFields({ display, onChange }: DisplayProps) {
  const { style, currency, decimals, isUngrouped, unit } = display
  const known = STYLES.some(({ value }) => value === style) ? [] : [{ value: style, label: style }]
  return (
    <>
      <Check
        label="No separators"
        hint="1234567 in place of 1,234,567"
        checked={isUngrouped}
        onChange={(next) => onChange({ isUngrouped: next })}
      />
      <FormField label="Written as">
        <Select
          placeholder="Plain"
          value={style}
          onValueChange={(next) => onChange({ style: next })}
          options={[...STYLES, ...known]}
        />
      </FormField>
      {style === 'currency' && (
        <FormField label="Currency" hint="Its code, such as EUR">
          <Text value={currency} onChange={(text) => onChange({ currency: text })} />
        </FormField>
      )}
      <FormField label="Digits after the point" hint="Empty: as many as a number has">
        <Text value={decimals} onChange={(text) => onChange({ decimals: text })} />
      </FormField>
      {style !== 'bytes' && (
        <FormField label="Unit" hint="Behind the number, such as kg">
          <Text value={unit} onChange={(text) => onChange({ unit: text })} />
        </FormField>
      )}
    </>
  )
}
