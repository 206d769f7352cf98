import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { GET as getEntities } from '@/app/api/entities/route'
import { ENTITIES_KEY } from '@/components/entities/entity-queries'
import { NAV_COOKIE, parseNavMemory } from '@/components/entity-nav/nav-memory'
import { NAMES_SEARCH } from '@/components/plugins/searches'
import { AppShell } from '@/components/shell/app-shell'
import { ServerFactsProvider } from '@/components/shell/server-facts'
import { viewerOf } from '@/components/shell/viewer-of'
import type { AccountActor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { Prefetched, prefetch, prefetchSearch } from './prefetch'

type Props = { deps: Deps; actor: AccountActor; children: ReactNode }

/** What is around every page of a signed-in person, drawn as they left it. */
export async function ConsoleFrame({ deps, actor, children }: Props) {
  const kept = await cookies()
  const ahead = await Promise.all([
    prefetch(ENTITIES_KEY, getEntities, { path: '/api/entities?counts=true' }),
    prefetchSearch('EnginePlugins', NAMES_SEARCH),
  ])
  return (
    <ServerFactsProvider value={factsOf(deps)}>
      <Prefetched of={ahead}>
        <AppShell
          viewer={viewerOf(actor)}
          initiallyCollapsed={kept.get('sidebar')?.value === 'collapsed'}
          navMemory={parseNavMemory(kept.get(NAV_COOKIE)?.value)}
        >
          {children}
        </AppShell>
      </Prefetched>
    </ServerFactsProvider>
  )
}

const factsOf = ({ mail, storage, settings: { OIDC } }: Deps) => ({
  sendsMail: mail !== null,
  hasCloudStorage: storage.of('cloudinary') !== null,
  providers: OIDC.map(({ name, label, signsOutThere }) => ({ name, label, signsOutThere })),
})
