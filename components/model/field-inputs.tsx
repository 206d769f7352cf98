import { Checkbox } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/input'
import type { FieldDraft, Flag } from './field-draft'

export type PartProps = { field: FieldDraft; onChange: (part: Partial<FieldDraft>) => void }

type TextProps = { value: string; onChange: (text: string) => void; placeholder?: string }

export const Text = ({ onChange, ...props }: TextProps) => (
  <Input {...props} autoComplete="off" onChange={({ target }) => onChange(target.value)} />
)

type CheckProps = {
  label: string
  hint: string
  checked: boolean
  onChange: (checked: boolean) => void
}

export const Check = ({ label, hint, checked, onChange }: CheckProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is inside
  <label className="flex items-start gap-2 text-[13px]">
    <Checkbox className="mt-0.5" checked={checked} onCheckedChange={onChange} />
    <span>
      <span className="font-medium">{label}</span>
      <span className="block text-xs text-muted-foreground">{hint}</span>
    </span>
  </label>
)

const FLAG_WORDS: Record<Flag, { label: string; hint: string }> = {
  required: { label: 'Required', hint: 'Every record has a value' },
  unique: { label: 'Unique', hint: 'No two records have the same' },
  indexed: { label: 'Indexed', hint: 'Fast to filter and sort by' },
  searchable: { label: 'Searchable', hint: 'Parts of it are found fast' },
}

type FlagsProps = PartProps & { legend: string; flags: readonly Flag[] }

export const Flags = ({ legend, flags, field, onChange }: FlagsProps) => (
  <fieldset className="grid gap-2 sm:col-span-2 sm:grid-cols-2">
    <legend className="sr-only">{legend}</legend>
    {flags.map((flag) => (
      <Check
        key={flag}
        {...FLAG_WORDS[flag]}
        checked={field.flags[flag]}
        onChange={(checked) => onChange({ flags: { ...field.flags, [flag]: checked } })}
      />
    ))}
  </fieldset>
)
