import { FormField } from '@/components/ui/form-field'
import { Select } from '@/components/ui/select'
import { LANGUAGES } from '@/lib/definitions/text-search'
import type { PartProps } from './field-inputs'

/** Whether the search of the entity finds words of the field in any form, and how much they count. */
export function TextSearchFields({ field: { textSearch }, onChange }: PartProps) {
  const set = (part: Partial<typeof textSearch>) =>
    onChange({ textSearch: { ...textSearch, ...part } })
  return (
    <>
      <FormField label="Text search" hint="Words without case and accents, the best match first">
        <Select
          value={textSearch.weight || NONE}
          onValueChange={(weight) => set({ weight: weight === NONE ? '' : weight })}
          options={WEIGHTS}
        />
      </FormField>
      {textSearch.weight !== '' && (
        <FormField label="Language" hint="Its endings make no difference: house finds houses">
          <Select
            value={textSearch.language}
            onValueChange={(language) => set({ language })}
            options={LANGUAGES.map((value) => ({ value, label: nameOf(value) }))}
          />
        </FormField>
      )}
    </>
  )
}

const NONE = 'none'
const WEIGHTS = [
  { value: NONE, label: 'No: parts of texts only' },
  { value: 'A', label: 'A: counts most' },
  { value: 'B', label: 'B' },
  { value: 'C', label: 'C' },
  { value: 'D', label: 'D: counts least' },
]

const nameOf = (language: string) =>
  language === 'simple' ? 'None: words as they are' : language[0]?.toUpperCase() + language.slice(1)
