'use client'
import { useQuery } from '@tanstack/react-query'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { usePluginNames } from '@/components/plugins/plugin-names'
import { Link } from '@/components/ui/link'
import { EntityGroupList } from './entity-group-list'
import { EntityLink } from './entity-link'
import { groupEntities, linesOfGroups, MAX_GROUPS } from './group-entities'
import { toggled } from './nav-memory'
import { RecentRecords } from './recent-records-list'
import { useNavMemory } from './use-nav-memory'

type Props = { onNavigate?: () => void }

/** Entities come and go with other people's installs, and so do their records. */
const REFRESH_MS = 60_000

/** The entities in the sidebar: pinned ones, those of each plugin, and records opened last. */
export function EntityNav({ onNavigate }: Props) {
  const { data } = useQuery({ ...entitiesOptions, refetchInterval: REFRESH_MS })
  const pluginName = usePluginNames()
  const [memory, update] = useNavMemory()
  const all = data?.data ?? []
  const pinned = memory.pins.flatMap((pin) => all.find(({ name }) => name === pin) ?? [])
  const rest = all.filter(({ name }) => !memory.pins.includes(name))
  const groups = groupEntities(rest, pluginName)
  const lines = linesOfGroups(groups.slice(0, MAX_GROUPS).map(({ entities }) => entities.length))
  const onPin = (name: string) => update({ pins: toggled(memory.pins, name) })
  return (
    <>
      {pinned.length > 0 && (
        <section className="mb-3" aria-label="Pinned entities">
          <h2 className="px-2 py-1 text-xs text-muted-foreground">Pinned</h2>
          <ul className="grid gap-px">
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
      {groups.slice(0, MAX_GROUPS).map(({ plugin, entities }, at) => (
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
      {groups.length > MAX_GROUPS && (
        <Link
          href="/entities"
          onClick={onNavigate}
          className="mb-3 block rounded-md px-2 py-1 text-xs text-muted-foreground hover:text-foreground"
        >
          Entities of {groups.length - MAX_GROUPS} more plugins
        </Link>
      )}
      <RecentRecords known={all} onNavigate={onNavigate} />
    </>
  )
}
