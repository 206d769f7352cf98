import { useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { FormField } from '@/components/ui/form-field'
import { Textarea } from '@/components/ui/input'
import { useCorrections, useFocusOnRefusal } from '@/components/ui/use-corrections'
import { useSubmitKey } from '@/components/ui/use-submit-key'
import type { ExactJson } from '@/lib/values/exact-json'
import { changesOf } from './draft'
import { editable, parseRecord } from './record-text'
import { isStale } from './refusal'
import type { EntityRecord } from './types'

type Props = {
  record: EntityRecord | null
  text: string
  onText: (text: string) => void
  saving: {
    mutate: (values: Record<string, ExactJson>) => void
    isPending: boolean
    error: Error | null
  }
  onCancel: () => void
}

/** The whole record as JSON: the way to undeclared fields. */
export function RecordJson({ record, text, onText, saving, onCancel }: Props) {
  const shown = editable(record)
  const [fault, setFault] = useState<string | null>(null)
  const { isCorrected, correct } = useCorrections(saving.error)
  const form = useRef<HTMLFormElement>(null)
  useFocusOnRefusal(form, fault ?? saving.error)
  useSubmitKey(form)
  // Someone else's change is no fault of the text, and is said above it.
  const refused = isStale(saving.error) ? undefined : saving.error?.message
  const submit = () => {
    const parsed = parseRecord(text)
    setFault(typeof parsed === 'string' ? parsed : null)
    if (typeof parsed === 'string') return
    const changes = changesOf(shown, parsed)
    if (record && Object.keys(changes).length === 0) onCancel()
    else saving.mutate(changes)
  }
  return (
    <form
      ref={form}
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <FormField label="Record" error={fault ?? (isCorrected('record') ? undefined : refused)}>
        <Textarea
          code
          rows={22}
          value={text}
          onChange={(event) => {
            setFault(null)
            correct('record')
            onText(event.target.value)
          }}
        />
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
