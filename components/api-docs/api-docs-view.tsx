'use client'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeftIcon, FileQuestionIcon } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { Page } from '@/components/shell/page'
import { buttonClass } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { EmptyState, ErrorState } from '@/components/ui/state'
import { DocsSkeleton } from './docs-skeleton'
import type { ApiDocument } from './document'
import { DOCUMENT_PATH, documentOptions } from './document-query'
import { OperationList } from './operation-list'
import { OperationView } from './operation-view'
import { groupOperations } from './operations'
import { Overview } from './overview'
import { useHash } from './use-hash'

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
  if (operation) return <OperationView key={hash} document={document} operation={operation} />
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
