import type { StreamMessage } from '@/lib/contracts/stream';
import type { LiveEnvironment } from './environment';
import { readMessage } from './read';

export interface StreamHandlers {
  /** What came since the last frame, in order. */
  messages(messages: readonly StreamMessage[]): void;
  /** Something came that this tab does not understand. */
  unreadable(): void;
  /** The connection broke. `spoke`: not before something had come. */
  lost(spoke: boolean): void;
}

/** One connection to the stream. What comes is handed over once a frame, and nothing once it is closed. */
export class MessageStream {
  readonly close: () => void;

  constructor(
    env: Pick<LiveEnvironment, 'openStream' | 'onFrame'>,
    url: string,
    readonly openedAt: number,
    handlers: StreamHandlers,
  ) {
    const source = env.openStream(url);
    let pending: StreamMessage[] = [];
    let spoke = false;
    const handOver = () => {
      const messages = pending;
      pending = [];
      if (messages.length > 0) handlers.messages(messages);
    };
    source.onmessage = ({ data }) => {
      spoke = true;
      const message = readMessage(data);
      if (!message) handlers.unreadable();
      else if (pending.push(message) === 1) env.onFrame(handOver);
    };
    source.onerror = () => handlers.lost(spoke);
    this.close = () => {
      pending = [];
      source.onmessage = null;
      source.onerror = null;
      source.close();
    };
  }
}
