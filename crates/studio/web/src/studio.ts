import type { Player } from './animation/player';
import type { Drawing } from './canvas/drawing';
import type { Document } from './document';
import type { Importer } from './importer';
import type { Predictor } from './prediction';
import type { Id, MachineAsk, Vocabulary } from './protocol';
import type { Reporter } from './report';
import type { Store } from './store';
import type { Sweeper } from './sweeper';
import type { View } from './view';

/** Questions to the user, shown above the page. */
export type Dialog =
  | { type: 'append'; behind: Id | null }
  | { type: 'connect'; source: Id }
  | { type: 'rename'; node: Id; isNew?: boolean }
  | { type: 'save-as' }
  | { type: 'export' }
  | { type: 'compare' }
  | { type: 'sweep' }
  | { type: 'import' }
  | { type: 'kept' }
  | { type: 'machines'; begin: MachineAsk | null }
  | { type: 'search' }
  | { type: 'shortcuts' };

/** Parts of the page, for commands and panels. */
export interface Studio {
  /** The page's vocabulary; the names of machines change. */
  vocabulary: Vocabulary;
  readonly document: Document;
  readonly view: View;
  readonly predictor: Predictor;
  readonly player: Player;
  readonly reporter: Reporter;
  readonly sweeper: Sweeper;
  readonly importer: Importer;
  readonly dialog: Store<Dialog | null>;
  /** The drawing, once there is a place for it. */
  drawing: Drawing | null;
}
