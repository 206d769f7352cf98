'use client'

import { queryOptions, useQuery } from '@tanstack/react-query'
import { ArrowLeftIcon, FileQuestionIcon } from 'lucide-react'
import { useSearchParams } from 'next/navigation'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { Page } from '@/components/shell/page'
import { buttonClass } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { failure, fetchSignedIn } from '@/lib/http/client'
import type { ApiDocument } from './document'
import { OperationList } from './operation-list'
import { OperationView } from './operation-view'
import { groupOperations } from './operations'
import { Overview } from './overview'

/** `visitor` is the user who is signed in, or null. */
export function ApiDocsView({ visitor }: { visitor: string | null }) {
  const { data, error, refetch, isPending } = useQuery(documentOptions(visitor ?? 'anyone'))
  return (
    <Page
      title="API reference"
      description={data && `${data.info.title} ${data.info.version}`}
      actions={<Downloads signedIn={visitor !== null} />}
    >
      {isPending && <DocsSkeleton />}
      {error && !data && <ErrorState error={error} onRetry={() => refetch()} />}
      {data && <Reference document={data} signedIn={visitor !== null} />}
    </Page>
  )
}

/** For programs: the OpenAPI document, and the records as TypeScript types. */
const Downloads = ({ signedIn }: { signedIn: boolean }) => (
  <>
    <a href={DOCUMENT_PATH} className={buttonClass({ size: 'sm' })}>
      openapi.json
    </a>
    {signedIn && (
      <a href="/api/types.d.ts" className={buttonClass({ size: 'sm' })}>
        types.d.ts
      </a>
    )}
  </>
)

type Props = { document: ApiDocument; signedIn: boolean }

/** The list beside the selected operation; on a narrow screen one or the other. */
function Reference({ document, signedIn }: Props) {
  const hash = useHash()
  const groups = useMemo(() => groupOperations(document), [document])
  const listed = hash === '' || hash === 'operations'
  useShown(hash)
  return (
    <div className="grid min-w-0 gap-x-8 gap-y-4 lg:grid-cols-[18rem_minmax(0,1fr)]">
      <div
        className={cn(
          'min-w-0 lg:sticky lg:top-12 lg:h-[calc(100dvh-3rem)] lg:self-start lg:pt-1',
          !listed && 'max-lg:hidden',
        )}
      >
        <OperationList groups={groups} activeId={hash} />
      </div>
      <div className={cn('min-w-0', listed && 'max-lg:hidden')}>
        <a
          href="#operations"
          className={buttonClass({ variant: 'ghost', size: 'sm' }, '-ml-2 mb-3 lg:hidden')}
        >
          <ArrowLeftIcon aria-hidden /> All operations
        </a>
        <Chosen document={document} signedIn={signedIn} groups={groups} hash={hash} />
      </div>
    </div>
  )
}

const SECTIONS = ['', 'operations', 'start', 'address', 'authentication']

type ChosenProps = Props & { groups: ReturnType<typeof groupOperations>; hash: string }

function Chosen({ document, signedIn, groups, hash }: ChosenProps) {
  if (SECTIONS.includes(hash)) return <Overview document={document} signedIn={signedIn} />
  const operation = groups.flatMap(({ operations }) => operations).find(({ id }) => id === hash)
  if (operation) return <OperationView key={hash} {...{ document, operation, signedIn }} />
  return (
    <EmptyState icon={FileQuestionIcon} title="Operation not found">
      {signedIn
        ? 'Its entity may have been deleted, or you don’t have access to it.'
        : 'Sign in to see the operations of installed entities.'}
    </EmptyState>
  )
}

/**
 * Scrolls to what the address names and moves the focus there. No element has that name as its id:
 * the browser would scroll to it underneath the top bar.
 */
function useShown(hash: string): void {
  useEffect(() => {
    if (hash === '') return
    const section = window.document.getElementById(`section-${hash}`)
    if (section && hash !== 'start') section.scrollIntoView()
    else window.scrollTo(0, 0)
    const heading = section ?? window.document.getElementById('operation')
    heading?.focus({ preventScroll: true })
  }, [hash])
}

/** Shown until the document is loaded. */
const DocsSkeleton = () => (
  <div aria-busy className="grid gap-x-8 gap-y-4 lg:grid-cols-[18rem_minmax(0,1fr)]">
    <div className="grid content-start gap-3">
      <Skeleton className="h-8" />
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
        <Skeleton key={key} className="w-48" />
      ))}
    </div>
    <div className="grid content-start gap-3 max-lg:hidden">
      <Skeleton className="h-6 w-56" />
      <Skeleton className="max-w-prose" />
      <Skeleton className="h-24 max-w-3xl" />
    </div>
  </div>
)

const DOCUMENT_PATH = '/api/openapi.json'

/** The document as `visitor` may see it: it differs by user. */
const documentOptions = (visitor: string) =>
  queryOptions({
    queryKey: ['api-document', visitor],
    queryFn: ({ signal }) => fetchDocument(signal),
  })

async function fetchDocument(signal: AbortSignal): Promise<ApiDocument> {
  const response = await fetchSignedIn(DOCUMENT_PATH, { signal })
  const body = await response.json().catch(() => null)
  if (response.ok && body) return body as ApiDocument
  throw failure(response.status, body, response.headers.get('x-request-id'))
}

/** What stands after `#` in the page's address; empty on the server. */
function useHash(): string {
  // A link that Next.js follows raises no `hashchange`; this hook renders again for each.
  useSearchParams()
  return useSyncExternalStore(subscribe, read, () => '')
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}

function read(): string {
  const hash = window.location.hash.slice(1)
  try {
    return decodeURIComponent(hash)
  } catch {
    return hash
  }
}
