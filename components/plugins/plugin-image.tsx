import { BlocksIcon } from 'lucide-react'

/** The image of a plugin, a data URI; anything else is not loaded. */
export function PluginImage({ image }: { image: string | null }) {
  const isPicture = image && /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]/i.test(image)
  if (!isPicture) {
    return (
      <span className="grid size-9 shrink-0 place-items-center rounded-md border bg-muted">
        <BlocksIcon aria-hidden className="size-4 text-muted-foreground" />
      </span>
    )
  }
  return (
    // biome-ignore lint/performance/noImgElement: a data URI needs no loader
    <img src={image} alt="" className="size-9 shrink-0 rounded-md border bg-card object-contain" />
  )
}
