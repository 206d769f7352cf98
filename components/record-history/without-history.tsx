import { KeepLog } from '@/components/entities/keep-log'
import { useCan } from '@/components/shell/viewer'
import { Link } from '@/components/ui/link'
import { RecordTraces } from './record-traces'

/** That an entity keeps no history, how to turn it on, and what else tells of the record. */
export function WithoutHistory({ entity, id }: { entity: string; id: string }) {
  const mayTurnOn = useCan('plugins:install')
  const href = `/entities/${encodeURIComponent(entity)}/definition`
  return (
    <div className="grid gap-4 pb-3">
      <div className="flex flex-wrap items-start justify-between gap-3 rounded-md border bg-card px-3 py-2.5">
        <div className="min-w-0 flex-1 basis-60">
          <p className="text-[13px] font-medium">History is off for {entity}</p>
          <p className="text-[13px] text-muted-foreground">
            Only the last change made in the console is kept.{' '}
            {mayTurnOn ? (
              <>Turn it on here or in its </>
            ) : (
              <>People who may install plugins turn it on in its </>
            )}
            <Link href={href} className="rounded text-primary underline underline-offset-2">
              definition
            </Link>
            .
          </p>
        </div>
        <KeepLog log="history" entity={entity} />
      </div>
      <RecordTraces entity={entity} id={id} />
    </div>
  )
}
