'use client'
import { useQuery } from '@tanstack/react-query'
import { FormField } from '@/components/ui/form-field'
import { TagInput } from '@/components/ui/tag-input'
import type { ApiError } from '@/lib/http/client'
import type { Image } from '@/lib/images/contract'
import { ContextEditor } from '../context-editor'
import { facetsOptions } from '../image-queries'
import { type LabelInput, labelFaults } from '../label-change'

type Props = {
  input: LabelInput
  onChange: (part: Partial<LabelInput>) => void
  /** Those of the selected images that are on the page: what they have can be removed. */
  images: readonly Image[]
  /** Why the server refuses the change. */
  error: ApiError | null
}

/** Tags to add and remove, context to set and keys to remove. */
export function LabelFields({ input, onChange, images, error }: Props) {
  const known = useQuery(facetsOptions).data?.data[0]?.tags.map(({ value }) => value) ?? []
  const faults = labelFaults(input)
  const keys = unique(images.flatMap(({ context }) => Object.keys(context)))
  const held = unique(images.flatMap(({ tags }) => tags))
  const control = (field: 'addTags' | 'removeTags' | 'removeKeys', suggestions: string[]) => ({
    value: input[field],
    onValueChange: (value: string[]) => onChange({ [field]: value }),
    suggestions,
  })
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <FormField label="Add tags" error={error?.errorOf('addTags')}>
          <TagInput {...control('addTags', known)} placeholder="Type a tag and press Enter" />
        </FormField>
        <FormField label="Remove tags" error={faults.removeTags ?? error?.errorOf('removeTags')}>
          <TagInput
            {...control('removeTags', held.length > 0 ? held : known)}
            placeholder="Type a tag and press Enter"
          />
        </FormField>
      </div>
      <ContextEditor
        legend="Set context"
        hint="Replaces the value of a key that an image has already. Other keys stay."
        pairs={input.pairs}
        onChange={(pairs) => onChange({ pairs })}
        error={error?.errorOf('setContext')}
      />
      <FormField label="Remove context" error={faults.removeKeys ?? error?.errorOf('unsetContext')}>
        <TagInput {...control('removeKeys', keys)} placeholder="Type a key and press Enter" />
      </FormField>
    </>
  )
}

const unique = (all: readonly string[]) => [...new Set(all)]

/** The fields that show what the server finds wrong with them. */
export const LABEL_FIELDS = ['addTags', 'removeTags', 'setContext', 'unsetContext'] as const
