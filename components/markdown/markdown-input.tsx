'use client'
import { useState } from 'react'
import { Segmented } from '@/components/ui/segmented'
import { Textarea } from '@/components/ui/textarea'
import { LazyMarkdown } from './lazy-markdown'

type Props = { label: string; value: string; onChange: (value: string) => void }

const MODES = [
  { value: 'text', label: 'Write' },
  { value: 'preview', label: 'Preview' },
] as const

/** A text in Markdown and how it will look. */
export function MarkdownInput({ label, value, onChange }: Props) {
  const [mode, setMode] = useState<'text' | 'preview'>('text')
  return (
    <div className="grid justify-items-start gap-1.5">
      <Segmented
        aria-label={`View of ${label}`}
        value={mode}
        onValueChange={setMode}
        options={MODES}
      />
      {mode === 'text' ? (
        <Textarea rows={8} value={value} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <section
          aria-label={`Preview of ${label}`}
          className="min-h-24 w-full rounded-md border px-3 py-2"
        >
          {value.trim() === '' ? (
            <p className="text-[13px] text-muted-foreground">Nothing is written yet.</p>
          ) : (
            <LazyMarkdown text={value} />
          )}
        </section>
      )}
    </div>
  )
}
