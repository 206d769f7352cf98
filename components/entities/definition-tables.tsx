import { KeyIcon } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { EmptyState } from '@/components/ui/state'
import { Badge } from '@/components/ui/status'
import { Table, Td, Th } from '@/components/ui/table'
import { AUDIT_FIELDS } from '@/lib/definitions/definition'
import type { EntitySummary } from '@/lib/registry/summary-contract'
import { rulesOf } from './rules-text'
import type { ColumnDescription } from './types'

type FieldsProps = {
  columns: readonly ColumnDescription[]
  /** Undefined for those who may not change it. */
  onRename?: (column: ColumnDescription) => void
}

/** The fields with their rules. */
export function FieldTable({ columns, onRename }: FieldsProps) {
  return (
    <Table aria-label="Fields" className="[&_tr:last-child>td]:border-b-0">
      <thead>
        <tr>
          <Th>Name</Th>
          <Th>Type</Th>
          <Th>Rules</Th>
          <Th>Description</Th>
          {onRename && <Th aria-label="Actions" />}
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
            <Td className="min-w-44">
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
            {onRename && (
              <Td className="text-right">
                {column.declared && !isAuditField(column.name) && (
                  <Button
                    size="sm"
                    variant="ghost"
                    className="-my-1.5"
                    aria-label={`Rename ${column.name}`}
                    onClick={() => onRename(column)}
                  >
                    Rename
                  </Button>
                )}
              </Td>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

const isAuditField = (name: string) => AUDIT_FIELDS.some((field) => field === name)

function Reference({ column: { rules } }: { column: ColumnDescription }) {
  if (!rules.reference) return null
  const { entity, field, with: further = {}, onDelete } = rules.reference
  const fields = [field, ...Object.values(further)]
  return (
    <Link
      href={`/entities/${encodeURIComponent(entity)}/definition`}
      className="inline-block rounded border bg-card px-1.5 text-xs leading-4.5 text-primary hover:underline"
    >
      refers to {entity}
      {fields.length === 1 ? `.${field}` : ` (${fields.join(', ')})`}
      {onDelete && (onDelete === 'cascade' ? ', deleted with it' : ', set to null on delete')}
    </Link>
  )
}

type IndexProps = { entity: EntitySummary; columns: readonly ColumnDescription[] }

/** The indexes that its key, its fields and its definition ask for. */
export function IndexTable({ entity, columns }: IndexProps) {
  const key = { fields: entity.keys.map((each) => each.key), kind: 'primary key' }
  const single = columns
    .filter((column) => !column.key)
    .flatMap(({ name, rules }) => [
      ...(rules.unique ? [{ fields: [name], kind: 'unique' }] : []),
      ...(rules.indexed && !rules.unique ? [{ fields: [name], kind: 'index' }] : []),
      ...(rules.searchable ? [{ fields: [name], kind: 'text search' }] : []),
    ])
  const several = entity.indexes.map(({ fields, unique, name }) => ({
    fields,
    kind: `${unique ? 'unique' : 'index'}${name ? `: ${name}` : ''}`,
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
