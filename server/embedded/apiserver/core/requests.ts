import type { Body } from '../wire/body';
import type { KubeObject } from './objects';
import type { Principal } from './principal';
import type { Target } from './reads';

/** A request for objects of a kind. */
export interface ResourceRequest {
  method: string;
  /** Who asks. */
  caller: Principal;
  target: Target;
  /** What the client calls itself. */
  userAgent: string;
  /** '' for the object itself. */
  subresource: string;
  query: URLSearchParams;
  body: Body;
  /** Texts for `Warning` headers are added here, whether the request succeeds or not. */
  warnings: string[];
}

/** An answer to anything but a list or a watch. */
export interface Answer {
  code: number;
  body: object;
  /** The same body where it is an object of the kind: it may be wanted as a Table or as metadata alone. */
  object?: KubeObject;
  /** The body as JSON, where that is at hand. */
  json?: string;
}
