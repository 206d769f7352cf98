import { useQuery } from '@tanstack/react-query'
import { EyeIcon } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { reloadPage } from '@/components/drafts/unsaved'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { buttonClass } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { api, viewAs } from '@/lib/http/client'
import { viewAsHref } from './view-as-link'

type Props = { as: string; entity: string; children: ReactNode }

/** A page that asks for records as a role, a user or a key, and says so above them. */
export default function ViewAsFrame({ as, entity, children }: Props) {
  // Before the parts of the page ask for anything.
  useState(() => viewAs(partsOf(as).join(':')))
  useEffect(
    () => () => {
      // An effect may run twice on the same page, which is not left by that.
      if (new URLSearchParams(window.location.search).get('as') === as) return
      viewAs(null)
      // What was fetched for somebody else must not stay.
      reloadPage()
    },
    [as],
  )
  return (
    <>
      <Banner as={as} entity={entity} />
      {children}
    </>
  )
}

function Banner({ as, entity }: Omit<Props, 'children'>) {
  const entities = useQuery(entitiesOptions)
  const name = useQuery({ queryKey: ['view-as', as], queryFn: () => nameOf(as), retry: false })
  const names = entities.data?.data.map((each) => each.name) ?? []
  return (
    <section
      aria-label="Viewed as somebody else"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-warning/40 bg-warning-soft px-3 py-2"
    >
      <EyeIcon aria-hidden className="size-4 shrink-0 text-warning" />
      <p className="min-w-0 flex-1 basis-56 break-words">
        You see {entity} as <strong className="font-medium">{name.data ?? as}</strong> does. Nothing
        can be changed here.
      </p>
      <Select
        aria-label="Another entity"
        size="sm"
        className="w-40 bg-card"
        value={entity}
        onValueChange={(next) => window.location.assign(viewAsHref(next, as))}
        options={names.map((value) => ({ value, label: value }))}
      />
      <a href={leaveHref(as)} className={buttonClass({ size: 'sm', variant: 'primary' })}>
        Leave
      </a>
    </section>
  )
}

/** `the role Clerk`, `ann@example.org`, `the key Website` */
async function nameOf(as: string): Promise<string> {
  const [type, id] = partsOf(as)
  if (type === 'role') return `the role ${decodeURIComponent(id)}`
  const path = type === 'user' ? `/api/users/${id}` : `/api/api-keys/${id}`
  const [found] = (await api<{ email?: string; name?: string }>(path)).data
  return found?.email ?? (found?.name ? `the key “${found.name}”` : as)
}

/** `role` and the name as in an address: what a header may hold. */
function partsOf(as: string): [string, string] {
  const at = as.indexOf(':')
  return [as.slice(0, at), encodeURIComponent(as.slice(at + 1))]
}

/** Where somebody else's rights are looked at. */
function leaveHref(as: string): string {
  const [type, id] = partsOf(as)
  if (type === 'role') return `/roles/${id}`
  return type === 'user' ? `/users/${id}` : '/api-keys'
}
