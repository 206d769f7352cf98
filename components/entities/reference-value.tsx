'use client'
import { useCan } from '@/components/shell/viewer'
import type { FieldReference } from '@/lib/definitions/definition'
import { type ExactJson, plainText } from '@/lib/values/exact-json'
import { useReferenceTitle } from './reference-titles'
import type { EntityRecord } from './types'
import { type Peek, usePanel } from './use-panel'

type Props = { reference: FieldReference; value: ExactJson; record: EntityRecord }

/** A reference by the name and the id of its record, which a click shows beside the table. */
export function ReferenceValue({ reference, value, record }: Props) {
  const panel = usePanel()
  const { entity } = reference
  const mayRead = useCan({ entity, action: 'read' })
  const { referred, isWhole } = referredOf(reference, value, record)
  const title = useReferenceTitle(isWhole ? referred : null)
  const text = plainText(value)
  if (!mayRead) return text
  const named = Object.entries(referred.values).map(([name, one]) => `${name} ${one}`)
  return (
    <button
      type="button"
      title={[title, `${entity} with ${named.join(', ')}`].filter(Boolean).join('\n')}
      className="group/ref max-w-full truncate rounded text-primary"
      onClick={() => panel.peek(referred)}
    >
      {/* Two elements of their own: text that moves aside would count as a shift of the layout. */}
      {title === null ? (
        <span key="id" className="underline-offset-2 group-hover/ref:underline">
          {text}
        </span>
      ) : (
        <span key="title">
          <span className="underline-offset-2 group-hover/ref:underline">{title}</span>{' '}
          <span className="text-xs text-muted-foreground">{text}</span>
        </span>
      )}
    </button>
  )
}

/** The record that a field of `record` refers to; not whole when another field of the reference is empty. */
function referredOf(
  { entity, field, with: further = {} }: FieldReference,
  value: ExactJson,
  record: EntityRecord,
): { referred: Peek; isWhole: boolean } {
  const own = Object.entries(further)
  const isWhole = own.every(([name]) => record[name] !== null && record[name] !== undefined)
  const others = own.map(([name, target]) => [target, plainText(record[name] ?? '')])
  const values = { [field]: plainText(value), ...Object.fromEntries(others) }
  return { referred: { entity, values }, isWhole }
}
