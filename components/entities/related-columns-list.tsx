import { useQueries } from '@tanstack/react-query'
import { ChevronRightIcon } from 'lucide-react'
import { useId, useState } from 'react'
import type { ChosenColumns } from '@/components/data-table/columns-menu'
import type { FilterField } from '@/components/data-table/filter/field'
import { LabelledCheckbox } from '@/components/ui/checkbox'
import { cn } from '@/components/ui/cn'
import { countName } from './related-columns'

type Props = ChosenColumns & {
  /** Of the entity, with the ways to others. */
  fields: readonly FilterField[]
}

/** Columns of what the records refer to, and how many records refer to them: folded until they are asked for. */
export default function RelatedColumnsList({ fields, sought, ...chosen }: Props) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const isOpen = (name: string) => sought !== '' || opened.has(name)
  const groups = useGroups(fields, isOpen).map((group) => ({
    ...group,
    items: group.items?.filter((item) => isSought(item, group.label, sought)),
  }))
  // While its fields are not known, a reference may have some.
  const shown = groups.filter(({ items }) => (items ? items.length > 0 : sought === ''))
  const fold = (name: string) =>
    setOpened((before) =>
      before.has(name)
        ? new Set([...before].filter((one) => one !== name))
        : new Set([...before, name]),
    )
  if (shown.length === 0) return null
  return (
    <section aria-label="Related records" className="mt-2 grid gap-px border-t pt-2">
      <h3 className="pb-1 text-xs text-muted-foreground">Of related records</h3>
      {shown.map((group) => (
        <Group
          key={group.name}
          {...group}
          {...chosen}
          isOpen={isOpen(group.name)}
          onFold={() => fold(group.name)}
        />
      ))}
    </section>
  )
}

/** No field has this name. */
const COUNTS = '$count'

type Item = { id: string; label: string }
/** `items`: undefined while they are not known. */
type FieldGroup = { name: string; label: string; items?: Item[] }

const isSought = ({ id, label }: Item, group: string, sought: string) =>
  `${group} › ${label} ${id}`.toLowerCase().includes(sought)

/** A group for each reference, whose fields are fetched once it is open, and one for the numbers of records. */
function useGroups(
  fields: readonly FilterField[],
  isOpen: (name: string) => boolean,
): FieldGroup[] {
  const references = fields.flatMap(({ beyond, ...field }) =>
    beyond ? [{ ...field, beyond }] : [],
  )
  const found = useQueries({
    queries: references.map(({ name, beyond }) => ({ ...beyond.fields, enabled: isOpen(name) })),
  })
  const counts = fields.flatMap((one) =>
    one.relation ? [{ id: countName(one), label: labelOf(one) }] : [],
  )
  return [
    ...references.map((reference, at) => ({
      name: reference.name,
      label: labelOf(reference),
      items: found[at]?.isError ? [] : found[at]?.data?.flatMap((one) => itemOf(reference, one)),
    })),
    { name: COUNTS, label: 'How many', items: counts },
  ]
}

const labelOf = ({ name, label }: FilterField) => label ?? name

const itemOf = ({ name }: FilterField, one: FilterField): Item[] =>
  one.relation ? [] : [{ id: `${name}.${one.name}`, label: labelOf(one) }]

type GroupProps = FieldGroup &
  Omit<ChosenColumns, 'sought'> & { isOpen: boolean; onFold: () => void }

function Group({ label, items, isOpen, onFold, ids, onToggle }: GroupProps) {
  const id = useId()
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        className="flex h-7 w-full items-center gap-1.5 rounded text-sm hover:bg-accent/50"
        onClick={onFold}
      >
        <ChevronRightIcon
          aria-hidden
          className={cn('size-3.5 text-muted-foreground', isOpen && 'rotate-90')}
        />
        <span className="truncate">{label}</span>
      </button>
      <ul id={id} hidden={!isOpen} className="grid gap-px pl-5 pb-1 wrap-anywhere">
        {items?.map((item) => (
          <li key={item.id} className="flex min-h-7 items-center">
            <LabelledCheckbox
              aria-label={`${label} › ${item.label}`}
              label={item.label}
              checked={ids.includes(item.id)}
              onCheckedChange={(on) => onToggle(item.id, on)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
