'use client'
import { type ExactJson, plainText } from '@/lib/values/exact-json'
import { usePanel } from './use-panel'

type Props = { reference: { entity: string; field: string }; value: ExactJson }

/** A reference to another record; a click shows that record beside the table. */
export function ReferenceLink({ reference, value }: Props) {
  const panel = usePanel()
  const text = plainText(value)
  return (
    <button
      type="button"
      title={`${reference.entity} with ${reference.field} ${text}`}
      className="max-w-full truncate rounded text-primary underline-offset-2 hover:underline"
      onClick={() => panel.peek(reference, text)}
    >
      {text}
    </button>
  )
}
