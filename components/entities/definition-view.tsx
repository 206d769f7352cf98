'use client'
import { useQuery } from '@tanstack/react-query'
import { KeyIcon } from 'lucide-react'
import { Page } from '@/components/shell/page'
import { buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Facts } from '@/components/ui/facts'
import { Link } from '@/components/ui/link'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/state'
import { Badge } from '@/components/ui/status'
import { Table, Td, Th } from '@/components/ui/table'
import type { EntitySummary } from '@/lib/entities/summarise-entities'
import { columnsOptions, entitiesOptions } from './entity-queries'
import { rulesOf } from './rules-text'
import type { ColumnDescription } from './types'

/** What an entity is: fields, types, rules, indexes, table, rights. */
export function DefinitionView({ name }: { name: string }) {
  const columns = useQuery(columnsOptions(name))
  const entities = useQuery(entitiesOptions)
  const entity = entities.data?.data.find((each) => each.name === name)
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
      <Card flush title="Fields">
        {columns.isPending && <Skeleton className="m-4 h-48" />}
        {columns.error && <ErrorState error={columns.error} onRetry={() => columns.refetch()} />}
        {columns.data && <FieldTable columns={columns.data.data} />}
      </Card>
      {entity && (
        <Card flush title="Indexes">
          <IndexTable entity={entity} columns={columns.data?.data ?? []} />
        </Card>
      )}
    </Page>
  )
}

const ON_DUPLICATE = {
  Error: 'refuses the file',
  Upsert: 'updates the record',
  Ignore: 'keeps the record that is there',
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
            value: pluginId && (
              <Link
                href={`/plugins/${encodeURIComponent(pluginId)}`}
                className="text-primary hover:underline"
              >
                {pluginId}
              </Link>
            ),
          },
          { label: 'Schema', value: engineSchema ?? 'none: any fields' },
          {
            label: 'Table',
            value: <code className="font-mono text-xs">{`${table.schema}.${table.name}`}</code>,
          },
          {
            label: 'Key',
            value: keys.map(({ key, strategy }) => `${key} (${strategy})`).join(', '),
          },
          { label: 'Undeclared fields', value: open ? 'kept' : 'refused' },
          { label: 'A duplicate', value: ON_DUPLICATE[insertDuplicate] },
          {
            label: 'An update',
            value: updateStrategy === 'Replace' ? 'replaces the record' : 'changes given fields',
          },
          { label: 'Audit fields', value: entity.auditable ? 'kept by the server' : 'none' },
          {
            label: 'Closed for',
            value: denied.length > 0 ? denied.map(([action]) => action).join(', ') : 'nothing',
          },
        ]}
      />
    </Card>
  )
}

function FieldTable({ columns }: { columns: readonly ColumnDescription[] }) {
  return (
    <Table aria-label="Fields" className="[&_tr:last-child>td]:border-b-0">
      <thead>
        <tr>
          <Th>Name</Th>
          <Th>Type</Th>
          <Th>Rules</Th>
          <Th>Description</Th>
        </tr>
      </thead>
      <tbody>
        {columns.map((column) => (
          <tr key={column.name}>
            <Td className="whitespace-nowrap">
              <span className="font-mono text-xs">{column.name}</span>
              {column.key && (
                <KeyIcon
                  role="img"
                  aria-label="key"
                  className="ml-1.5 inline size-3 text-warning"
                />
              )}
              {column.label && column.label !== column.name && (
                <span className="ml-2 text-muted-foreground">{column.label}</span>
              )}
            </Td>
            <Td className="whitespace-nowrap">
              {column.declared ? column.type : <Badge>undeclared</Badge>}
            </Td>
            <Td>
              <span className="flex flex-wrap gap-1">
                <Reference column={column} />
                {rulesOf(column).map((rule) => (
                  <Badge key={rule}>
                    <span className="truncate">{rule}</span>
                  </Badge>
                ))}
              </span>
            </Td>
            <Td className="text-muted-foreground">{column.description}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function Reference({ column: { rules } }: { column: ColumnDescription }) {
  if (!rules.reference) return null
  const { entity, field } = rules.reference
  return (
    <Link
      href={`/entities/${encodeURIComponent(entity)}/definition`}
      className="inline-flex h-5 items-center rounded border bg-card px-1.5 text-xs text-primary hover:underline"
    >
      refers to {entity}.{field}
    </Link>
  )
}

type IndexProps = { entity: EntitySummary; columns: readonly ColumnDescription[] }

function IndexTable({ entity, columns }: IndexProps) {
  const key = { fields: entity.keys.map((each) => each.key), kind: 'primary key' }
  const single = columns
    .filter((column) => !column.key)
    .flatMap(({ name, rules }) => [
      ...(rules.unique ? [{ fields: [name], kind: 'unique' }] : []),
      ...(rules.indexed && !rules.unique ? [{ fields: [name], kind: 'index' }] : []),
      ...(rules.searchable ? [{ fields: [name], kind: 'text search' }] : []),
    ])
  const several = entity.indexes.map(({ fields, unique }) => ({
    fields,
    kind: unique ? 'unique' : 'index',
  }))
  const indexes = [key, ...single, ...several]
  if (indexes.length === 0) return <EmptyState title="No indexes" />
  return (
    <Table aria-label="Indexes" className="[&_tr:last-child>td]:border-b-0">
      <thead>
        <tr>
          <Th>Fields</Th>
          <Th>Kind</Th>
        </tr>
      </thead>
      <tbody>
        {indexes.map(({ fields, kind }) => (
          <tr key={`${kind} ${fields.join()}`}>
            <Td className="font-mono text-xs">{fields.join(', ')}</Td>
            <Td>{kind}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
