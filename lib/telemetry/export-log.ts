import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { EXPORT_MS, resourceOf } from './resource'

const EXPORT_EVERY_MS = 2_000

/** Lines of the log, after its redaction, as records of OpenTelemetry. What a collector does not take in time is dropped. */
export function exportLog(url: string, service: string) {
  const exporter = new OTLPLogExporter({ url, timeoutMillis: EXPORT_MS })
  const batches = {
    exporter,
    scheduledDelayMillis: EXPORT_EVERY_MS,
    exportTimeoutMillis: EXPORT_MS,
  }
  const provider = new LoggerProvider({
    resource: resourceOf(service),
    processors: [new BatchLogRecordProcessor(batches)],
  })
  const logger = provider.getLogger('engine')
  return {
    readLine: (line: string) => logger.emit(toRecord(line)),
    stop: () => provider.shutdown(),
  }
}

/** The fields of a line become attributes: texts and numbers as they are, others as JSON. */
function toRecord(line: string) {
  const { level, time, msg, app: _app, ...fields } = JSON.parse(line) as Record<string, unknown>
  const [severityNumber, severityText] = SEVERITIES[Number(level)] ?? [0, '']
  const attributes = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, attributeOf(value)]),
  )
  const timestamp = new Date(String(time))
  return { timestamp, severityNumber, severityText, body: String(msg ?? ''), attributes }
}

const attributeOf = (value: unknown) =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'
    ? value
    : JSON.stringify(value)

/** Of pino's levels, the numbers of OpenTelemetry's data model. */
const SEVERITIES: Record<number, [number: number, text: string]> = {
  10: [1, 'TRACE'],
  20: [5, 'DEBUG'],
  30: [9, 'INFO'],
  40: [13, 'WARN'],
  50: [17, 'ERROR'],
  60: [21, 'FATAL'],
}
