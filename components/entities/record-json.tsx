'use client'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { FormField } from '@/components/ui/form-field'
import { Textarea } from '@/components/ui/textarea'
import { type ExactJson, exactJsonText, isNested, parseExactJson } from '@/lib/values/exact-json'
import { AUDIT_FIELDS, changesOf } from './draft'
import type { EntityRecord } from './types'

type Props = {
  record: EntityRecord | null
  saving: {
    mutate: (values: Record<string, ExactJson>) => void
    isPending: boolean
    error: Error | null
  }
  onCancel: () => void
}

/** The whole record as JSON: the way to undeclared fields. */
export function RecordJson({ record, saving, onCancel }: Props) {
  const shown = editable(record)
  const [text, setText] = useState(() => exactJsonText(shown, 2))
  const [fault, setFault] = useState<string | null>(null)
  const submit = () => {
    const parsed = parse(text)
    setFault(typeof parsed === 'string' ? parsed : null)
    if (typeof parsed === 'string') return
    const changes = changesOf(shown, parsed)
    if (record && Object.keys(changes).length === 0) onCancel()
    else saving.mutate(changes)
  }
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <FormField label="Record" error={fault ?? saving.error?.message}>
        <Textarea code rows={22} value={text} onChange={(event) => setText(event.target.value)} />
      </FormField>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={saving.isPending}>
          {record ? 'Save' : 'Create'}
        </Button>
      </div>
    </form>
  )
}

/** The editable part of the record, without its address and the fields that the server maintains. */
function editable(record: EntityRecord | null): Record<string, ExactJson> {
  const kept = ['persistenceId', ...AUDIT_FIELDS]
  return Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => !kept.includes(name)))
}

function parse(text: string): Record<string, ExactJson> | string {
  try {
    const value = parseExactJson(text)
    const isRecord = isNested(value) && !Array.isArray(value)
    return isRecord ? value : 'A record is a JSON object: { … }'
  } catch (error) {
    return `Not valid JSON: ${(error as Error).message}`
  }
}
