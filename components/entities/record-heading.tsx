import { useReferenceTitle } from './reference-titles'

type Props = {
  entity: string
  /** Of its key, by field; null: it is not stored, or not known. */
  values: Record<string, string> | null
  /** What it is called where that is not what is stored. */
  title?: string | null
  /** The key as it is shown. */
  name: string
}

/** A record by what it is called and its key; by the key alone where nothing names it. */
export function RecordHeading({ entity, values, title = null, name }: Props) {
  const stored = useReferenceTitle(title === null && values ? { entity, values } : null)
  const shown = title ?? stored
  return (
    <>
      {shown && shown !== name && <bdi className="text-[13px] font-medium">{shown}</bdi>}{' '}
      <span className="font-mono text-xs break-all text-muted-foreground">{name}</span>
    </>
  )
}
