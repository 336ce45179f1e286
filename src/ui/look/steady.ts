import { Component } from "preact";

/** Drawn again only where something of what it is given is another: of thousands, most are as they were. */
export abstract class Steady<Props extends object> extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    return Object.entries(next).some(([name, value]) => value !== this.props[name as keyof Props]);
  }
}
