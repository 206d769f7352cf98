import { type ComponentProps, useState } from 'react'
import { FormField } from '@/components/ui/form-field'
import { Textarea } from '@/components/ui/input'
import { Segmented } from '@/components/ui/segmented'
import { LazyMarkdown } from './lazy-markdown'

type Props = Omit<ComponentProps<typeof FormField>, 'children'> & {
  /** What the views are views of. */
  of: string
  value: string
  onChange: (value: string) => void
}

const MODES = [
  { value: 'text', label: 'Write' },
  { value: 'preview', label: 'Preview' },
] as const

/** A text in Markdown and how it will look. The choice stands outside the field, whose label would name it. */
export function MarkdownField({ of, value, onChange, ...field }: Props) {
  const [mode, setMode] = useState<'text' | 'preview'>('text')
  return (
    <div className="relative">
      <FormField {...field}>
        {mode === 'text' ? (
          <Textarea
            rows={8}
            className="mt-2"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        ) : (
          <section
            aria-label={`Preview of ${of}`}
            className="mt-2 min-h-24 w-full rounded-md border px-3 py-2"
          >
            {value.trim() === '' ? (
              <p className="text-[13px] text-muted-foreground">Nothing is written yet.</p>
            ) : (
              <LazyMarkdown text={value} />
            )}
          </section>
        )}
      </FormField>
      <Segmented
        aria-label={`View of ${of}`}
        value={mode}
        onValueChange={setMode}
        options={MODES}
        className="absolute -top-1 right-0"
      />
    </div>
  )
}
