import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { usePluginNames } from '@/components/plugins/plugin-names'
import { Link } from '@/components/ui/link'
import { countOf } from '@/components/ui/number'
import { EntityGroupList, EntityLink, useOpenEntity } from './entity-link'
import { firstGroups, groupEntities, type Listed, linesOfGroups } from './group-entities'
import { toggled } from './nav-memory'
import { useRecentRecords } from './recent-records'
import { useNavMemory } from './use-nav-memory'

type Props = { onNavigate?: () => void }

/** Entities come and go with other people's installs, and so do their records. */
const REFRESH_MS = 60_000

/** The entities in the sidebar: pinned ones, those of each plugin, and records opened last. */
export function EntityNav({ onNavigate }: Props) {
  const { data } = useQuery({ ...entitiesOptions, refetchInterval: REFRESH_MS })
  const pluginName = usePluginNames()
  const [memory, update] = useNavMemory()
  const [isWhole, setIsWhole] = useState(false)
  const open = useOpenEntity()
  const all = data?.data ?? []
  const pinned = memory.pins.flatMap((pin) => all.find(({ name }) => name === pin) ?? [])
  const rest = all.filter(({ name }) => !memory.pins.includes(name))
  const groups = groupEntities(rest, pluginName)
  const shown = isWhole ? groups : firstGroups(groups, open)
  const lines = linesOfGroups(shown.map(({ entities }) => entities.length))
  const onPin = (name: string) => update({ pins: toggled(memory.pins, name) })
  return (
    <>
      {pinned.length > 0 && (
        <section className="mb-3" aria-label="Pinned entities">
          <h2 className="px-2 py-1 text-xs text-muted-foreground">Pinned</h2>
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-px">
            {pinned.map((entity) => (
              <EntityLink
                key={entity.name}
                entity={entity}
                isPinned
                onPin={onPin}
                onNavigate={onNavigate}
              />
            ))}
          </ul>
        </section>
      )}
      {shown.map(({ plugin, entities }, at) => (
        <EntityGroupList
          key={plugin}
          title={plugin === '' ? 'Without a plugin' : pluginName(plugin)}
          entities={entities}
          shownAtFirst={lines[at] ?? 0}
          isClosed={memory.closed.includes(plugin)}
          onToggle={() => update({ closed: toggled(memory.closed, plugin) })}
          onPin={onPin}
          onNavigate={onNavigate}
        />
      ))}
      {groups.length > shown.length && (
        <button
          type="button"
          onClick={() => setIsWhole(true)}
          className="mb-3 block w-full rounded-md px-2 py-1 text-left text-xs text-muted-foreground hover:bg-accent hover:text-foreground"
        >
          Entities of {countOf(groups.length - shown.length, 'more plugin')}
        </button>
      )}
      <RecentRecords known={all} onNavigate={onNavigate} />
    </>
  )
}

type RecentRecordsProps = { known: readonly Listed[]; onNavigate?: () => void }

/** The records opened last, of entities that are still there for the user. */
function RecentRecords({ known, onNavigate }: RecentRecordsProps) {
  const names = new Set(known.map(({ name }) => name))
  const records = useRecentRecords().filter(({ entity }) => names.has(entity))
  if (records.length === 0) return null
  return (
    <section className="mb-3" aria-label="Recent records">
      <h2 className="px-2 py-1 text-xs text-muted-foreground">Recent</h2>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-px">
        {records.map(({ entity, id, title }) => (
          <li key={`${entity} ${id}`}>
            <Link
              href={`/entities/${encodeURIComponent(entity)}?record=${encodeURIComponent(id)}`}
              onClick={onNavigate}
              title={`${entity} ${id}`}
              className="flex h-7 items-center gap-2 rounded-md px-2 text-[13px] text-muted-foreground transition-colors hover:bg-accent hover:text-foreground focus-visible:-outline-offset-2"
            >
              <span className="truncate">{title}</span>
              <span className="ml-auto max-w-20 shrink-0 truncate text-xs">{entity}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
