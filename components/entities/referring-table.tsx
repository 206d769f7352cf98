'use client'
import { Link } from '@/components/ui/link'
import { Table, Td, Th } from '@/components/ui/table'
import { consequenceOf, type ReferringField, recordsHref } from './referring'

/** The fields of other entities that refer to this one. */
export const ReferringTable = ({ referring }: { referring: readonly ReferringField[] }) => (
  <Table aria-label="Referenced by" className="[&_tr:last-child>td]:border-b-0">
    <thead>
      <tr>
        <Th>Entity</Th>
        <Th>Field</Th>
        <Th>Refers to</Th>
        <Th>When a record is deleted</Th>
        <Th>Records</Th>
      </tr>
    </thead>
    <tbody>
      {referring.map((each) => (
        <ReferringRow key={`${each.entity} ${each.field}`} referring={each} />
      ))}
    </tbody>
  </Table>
)

const LINK = 'rounded text-primary underline-offset-2 hover:underline'

function ReferringRow({ referring }: { referring: ReferringField }) {
  const { entity, field, label, reference } = referring
  const targets = [reference.field, ...Object.values(reference.with ?? {})]
  const isSet = [{ field, operator: 'notnull' }]
  return (
    <tr>
      <Td className="whitespace-nowrap">
        <Link href={`/entities/${encodeURIComponent(entity)}/definition`} className={LINK}>
          {entity}
        </Link>
      </Td>
      <Td className="whitespace-nowrap">
        <span className="font-mono text-xs">{[field, ...ownFields(referring)].join(', ')}</span>
        {label && label !== field && <span className="ml-2 text-muted-foreground">{label}</span>}
      </Td>
      <Td className="font-mono text-xs whitespace-nowrap">{targets.join(', ')}</Td>
      <Td className="text-muted-foreground">{consequenceOf(referring)}</Td>
      <Td className="whitespace-nowrap">
        <Link
          href={recordsHref(entity, isSet)}
          aria-label={`Records of ${entity} with ${field}`}
          className={LINK}
        >
          Show
        </Link>
      </Td>
    </tr>
  )
}

const ownFields = ({ reference }: ReferringField) => Object.keys(reference.with ?? {})
