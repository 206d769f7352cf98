import { useQuery } from '@tanstack/react-query'
import { PencilIcon, PlusIcon, Trash2Icon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { PluginLink } from '@/components/plugins/plugin-link'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { Badge } from '@/components/ui/status'
import { Table, Td, Th } from '@/components/ui/table'
import { type ExactJson, plainText } from '@/lib/values/exact-json'
import { isMadeHere } from './made-here'
import { typesOptions, type WrittenType } from './type-queries'

const TypeDialog = dynamic(() => import('./type-dialog'))
const RemoveDefinition = dynamic(() => import('./remove-definition'))

/** The types of fields that plugins define, to be made and edited. */
export function TypesView() {
  const types = useQuery(typesOptions)
  const mayEdit = useCan('plugins:install')
  const [edited, setEdited] = useState<WrittenType | 'new' | null>(null)
  const [removed, setRemoved] = useState<WrittenType | null>(null)
  if (types.error) return <ErrorState of={types} />
  if (!types.data) return <Skeleton className="h-48 rounded-lg" />
  return (
    <Card
      flush
      title="Types"
      description="Rules and choices that fields of several entities have. Fields of the same plugin follow a changed type."
      actions={
        mayEdit && (
          <Button size="sm" onClick={() => setEdited('new')}>
            <PlusIcon aria-hidden />
            New type
          </Button>
        )
      }
    >
      {types.data.length === 0 ? (
        <EmptyState title="No plugin defines a type" />
      ) : (
        <TypeTable
          types={types.data}
          onEdit={mayEdit ? setEdited : undefined}
          onRemove={setRemoved}
        />
      )}
      {edited && (
        <TypeDialog type={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      {removed?.plugin && (
        <RemoveDefinition
          {...{ plugin: removed.plugin, kind: 'type', name: removed.name }}
          onClose={() => setRemoved(null)}
        />
      )}
    </Card>
  )
}

type TableProps = {
  types: readonly WrittenType[]
  onEdit: ((type: WrittenType) => void) | undefined
  onRemove: (type: WrittenType) => void
}

const TypeTable = ({ types, onEdit, onRemove }: TableProps) => (
  <Table aria-label="Types" className="[&_tr:last-child>td]:border-b-0">
    <thead>
      <tr>
        <Th>Name</Th>
        <Th>Based on</Th>
        <Th>Rules</Th>
        <Th>Plugin</Th>
        {onEdit && <Th aria-label="Actions" />}
      </tr>
    </thead>
    <tbody>
      {types.map((type) => (
        <tr key={type.name}>
          <Td className="font-mono text-xs">{type.name}</Td>
          <Td>{type.definition.baseType}</Td>
          <Td className="min-w-44">
            <span className="flex flex-wrap gap-1">
              {Object.entries(type.definition.meta ?? {}).map(([rule, value]) => (
                <Badge key={rule}>{ruleText(rule, value as ExactJson)}</Badge>
              ))}
            </span>
          </Td>
          <Td>{type.plugin && <PluginLink id={type.plugin} />}</Td>
          {onEdit && (
            <Td>
              <span className="-my-1.5 flex justify-end">
                {type.plugin && (
                  <Button size="sm" variant="ghost" onClick={() => onEdit(type)}>
                    <PencilIcon aria-hidden />
                    Edit
                    <span className="sr-only"> {type.name}</span>
                  </Button>
                )}
                {isMadeHere(type.plugin) && (
                  <Button size="sm" variant="ghost" onClick={() => onRemove(type)}>
                    <Trash2Icon aria-hidden />
                    Remove
                    <span className="sr-only"> {type.name}</span>
                  </Button>
                )}
              </span>
            </Td>
          )}
        </tr>
      ))}
    </tbody>
  </Table>
)

const ruleText = (rule: string, value: ExactJson) =>
  rule === 'enum' && Array.isArray(value)
    ? `one of ${value.map(plainText).join(', ')}`
    : `${rule} ${plainText(value)}`
