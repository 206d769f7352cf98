'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { PluginLink } from '@/components/plugins/plugin-link'
import { Page } from '@/components/shell/page'
import { useCan } from '@/components/shell/viewer'
import { buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Facts } from '@/components/ui/facts'
import { Link } from '@/components/ui/link'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { Table, Td, Th } from '@/components/ui/table'
import { isSystemEntity } from '@/lib/definitions/names'
import type { EntitySummary } from '@/lib/registry/summary-contract'
import { FieldTable, IndexTable } from './definition-tables'
import { columnsOptions, entitiesOptions } from './entity-queries'
import { KeepLog } from './keep-log'
import { Performance } from './performance'
import { consequenceOf, type ReferringField, recordsHref, referringFieldsOf } from './referring'
import type { ColumnDescription } from './types'

const RenameField = dynamic(() => import('./rename-field'))

/** What an entity is: fields, types, rules, indexes, table, rights; and its slow searches. */
export function DefinitionView({ name }: { name: string }) {
  const mayAdvise = useCan('system:read') && !isSystemEntity(name)
  const columns = useQuery(columnsOptions(name))
  const entities = useQuery(entitiesOptions)
  const entity = entities.data?.data.find((each) => each.name === name)
  const pluginId = entity?.pluginId
  const mayEdit = useCan('plugins:install')
  const [renamed, setRenamed] = useState<ColumnDescription | null>(null)
  const referring = referringFieldsOf(columns.data)
  const href = `/entities/${encodeURIComponent(name)}`
  return (
    <Page
      title={name}
      description={entity?.description}
      actions={
        <Link href={href} className={buttonClass()}>
          Records
        </Link>
      }
    >
      {entity && <EntityFacts entity={entity} />}
      <Card
        flush
        title="Fields"
        actions={
          mayEdit &&
          pluginId && (
            <Link href={`${href}/definition/edit`} className={buttonClass({ size: 'sm' })}>
              Edit definition
            </Link>
          )
        }
      >
        {columns.isPending && <Skeleton className="m-4 h-48" />}
        <ErrorState of={columns} />
        {columns.data && (
          <FieldTable
            columns={columns.data.data}
            onRename={mayEdit && pluginId ? setRenamed : undefined}
          />
        )}
      </Card>
      {entity && (
        <Card flush title="Indexes">
          <IndexTable entity={entity} columns={columns.data?.data ?? []} />
        </Card>
      )}
      {referring.length > 0 && (
        <Card flush title="Referenced by">
          <ReferringTable referring={referring} />
        </Card>
      )}
      {mayAdvise && <Performance entity={name} />}
      {renamed && pluginId && (
        <RenameField
          entity={name}
          pluginId={pluginId}
          column={renamed}
          onClose={() => setRenamed(null)}
        />
      )}
    </Page>
  )
}

const ON_DUPLICATE = {
  Error: 'Rejects the file',
  Upsert: 'Updates the record',
  Ignore: 'Keeps the existing record',
}

function distributionFact({ distribution }: EntitySummary) {
  if (distribution === undefined) return []
  if (distribution === 'local') return [{ label: 'Distribution', value: 'On the coordinator' }]
  if (distribution === 'reference') return [{ label: 'Distribution', value: 'On every node' }]
  const { by, with: beside } = distribution
  return [{ label: 'Distribution', value: `By ${by}${beside ? `, beside ${beside}` : ''}` }]
}

function linkFact({ link, fields }: EntitySummary) {
  const targets = fields.flatMap(({ reference }) => reference ?? [])
  return link ? [{ label: 'Links', value: `Records of ${targets.join(' and ')}` }] : []
}

function EntityFacts({ entity }: { entity: EntitySummary }) {
  const { pluginId, engineSchema, table, keys, insertDuplicate, updateStrategy, open } = entity
  const denied = Object.entries(entity.permissions).filter(([, allowed]) => !allowed)
  return (
    <Card title="Entity">
      <Facts
        facts={[
          {
            label: 'Plugin',
            value: pluginId && <PluginLink id={pluginId} />,
          },
          { label: 'Schema', value: engineSchema ?? 'None (any fields)' },
          {
            label: 'Table',
            value: <code className="font-mono text-xs">{`${table.schema}.${table.name}`}</code>,
          },
          {
            label: 'Key',
            value: keys.map(({ key, strategy }) => `${key} (${strategy})`).join(', '),
          },
          { label: 'Undeclared fields', value: open ? 'Stored' : 'Rejected' },
          { label: 'Duplicates', value: ON_DUPLICATE[insertDuplicate] },
          {
            label: 'Updates',
            value:
              updateStrategy === 'Replace' ? 'Replaces the record' : 'Changes the given fields',
          },
          ...distributionFact(entity),
          ...linkFact(entity),
          { label: 'Audit fields', value: entity.auditable ? 'Kept by the server' : 'None' },
          {
            label: 'History of records',
            value: (
              <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                {entity.history ? 'Every change' : 'Only the last change made in the console'}
                <KeepLog log="history" entity={entity.name} />
              </span>
            ),
          },
          {
            label: 'Events',
            value: (
              <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                {entity.events ? 'Changes can be followed, here too' : 'Off'}
                <KeepLog log="events" entity={entity.name} />
              </span>
            ),
          },
          {
            label: 'Actions not allowed',
            value: denied.length > 0 ? denied.map(([action]) => action).join(', ') : 'None',
          },
        ]}
      />
    </Card>
  )
}

/** The fields of other entities that refer to this one. */
const ReferringTable = ({ referring }: { referring: readonly ReferringField[] }) => (
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
