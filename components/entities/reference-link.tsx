'use client'
import type { FieldReference } from '@/lib/definitions/definition'
import { type ExactJson, plainText } from '@/lib/values/exact-json'
import type { EntityRecord } from './types'
import { usePanel } from './use-panel'

type Props = { reference: FieldReference; value: ExactJson; record: EntityRecord }

/** A reference to another record; a click shows that record beside the table. */
export function ReferenceLink({ reference, value, record }: Props) {
  const panel = usePanel()
  const text = plainText(value)
  const { entity, field, with: further = {} } = reference
  const others = Object.entries(further).map(([own, name]) => [name, plainText(record[own] ?? '')])
  const values: Record<string, string> = { [field]: text, ...Object.fromEntries(others) }
  const named = Object.entries(values).map(([name, one]) => `${name} ${one}`)
  return (
    <button
      type="button"
      title={`${entity} with ${named.join(', ')}`}
      className="max-w-full truncate rounded text-primary underline-offset-2 hover:underline"
      onClick={() => panel.peek({ entity, values })}
    >
      {text}
    </button>
  )
}
