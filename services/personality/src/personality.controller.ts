import { Controller } from '@nestjs/common';
import { personalityContract, type PayloadOutput, type RequestOutput } from '@kith/contracts';
import { LeftPlaces, TurnLedger } from '@kith/database';
import { Answers, Messenger, Works } from '@kith/messaging';
import { TurnAppraiser } from './turns/turn-appraiser.js';
import { AffectExplainer } from './companion/affect-explainer.js';
import { MoodReader } from './companion/mood-reader.js';
import { CompanionRegistry } from './companion/companion-registry.js';
import { Replayer } from './companion/replayer.js';
import { periodOf } from './companion/period-of.js';
import { NightlyReflection } from './companion/nightly-reflection.js';
import { PersonRecords } from './store/person-records.js';
import { ProspectRecords } from './store/prospect-records.js';

@Controller()
export class PersonalityController {
  constructor(
    private readonly companions: CompanionRegistry,
    private readonly moods: MoodReader,
    private readonly appraisal: TurnAppraiser,
    private readonly explanation: AffectExplainer,
    private readonly replay: Replayer,
    private readonly reflection: NightlyReflection,
    private readonly people: PersonRecords,
    private readonly prospects: ProspectRecords,
    private readonly left: LeftPlaces,
    private readonly ledger: TurnLedger,
    private readonly messenger: Messenger,
  ) {}

  @Answers(personalityContract.companions)
  onCompanions() {
    return { companions: this.companions.all().map(({ view }) => view) };
  }

  @Answers(personalityContract.companion)
  onCompanion({ companionId }: RequestOutput<typeof personalityContract.companion>) {
    return this.companions.get(companionId).view;
  }

  @Answers(personalityContract.persona)
  onPersona({ companionId, version }: RequestOutput<typeof personalityContract.persona>) {
    return this.companions.persona(companionId, version);
  }

  @Answers(personalityContract.personaVersions)
  onPersonaVersions({ companionId }: RequestOutput<typeof personalityContract.personaVersions>) {
    return this.companions.history(companionId);
  }

  @Answers(personalityContract.createCompanion)
  async onCreate({ persona }: RequestOutput<typeof personalityContract.createCompanion>) {
    return (await this.companions.create(persona)).view;
  }

  @Answers(personalityContract.retireCompanion)
  async onRetire({ companionId }: RequestOutput<typeof personalityContract.retireCompanion>) {
    await this.companions.retire(companionId);
    return { retired: companionId };
  }

  @Answers(personalityContract.pauseCompanion)
  async onPause({ companionId, paused }: RequestOutput<typeof personalityContract.pauseCompanion>) {
    return (await this.companions.setPaused(companionId, paused)).view;
  }

  @Answers(personalityContract.editPersona)
  async onEditPersona({
    companionId,
    persona,
    basedOn,
  }: RequestOutput<typeof personalityContract.editPersona>) {
    return (await this.companions.edit(companionId, persona, basedOn)).view;
  }

  @Answers(personalityContract.rollBackPersona)
  async onRollBack({ companionId, version }: RequestOutput<typeof personalityContract.rollBackPersona>) {
    return (await this.companions.rollBack(companionId, version)).view;
  }

  @Answers(personalityContract.felt)
  async onFelt(request: RequestOutput<typeof personalityContract.felt>) {
    return { turns: await this.explanation.felt(request) };
  }

  @Answers(personalityContract.compose)
  onCompose(request: RequestOutput<typeof personalityContract.compose>) {
    return this.moods.compose(
      this.companions.get(request.companionId),
      { personId: request.personId, audience: request.audience },
      new Date(request.now),
    );
  }

  @Answers(personalityContract.forget)
  async onForget(request: RequestOutput<typeof personalityContract.forget>) {
    return { rows: await this.people.forget(request) };
  }

  @Answers(personalityContract.undoForget)
  async onUndoForget(request: RequestOutput<typeof personalityContract.undoForget>) {
    return { rows: await this.people.undo(request) };
  }

  @Answers(personalityContract.mood)
  onMood(request: RequestOutput<typeof personalityContract.mood>) {
    return this.moods.course(this.companions.get(request.companionId), request);
  }

  @Answers(personalityContract.needs)
  onNeeds({ companionId, viewer, now }: RequestOutput<typeof personalityContract.needs>) {
    return this.moods.needs(this.companions.get(companionId), viewer, new Date(now));
  }

  @Answers(personalityContract.affectEvents)
  onAffectEvents(request: RequestOutput<typeof personalityContract.affectEvents>) {
    this.companions.get(request.companionId);
    return this.explanation.events(request);
  }

  @Answers(personalityContract.bond)
  onBond({ companionId, personId, now }: RequestOutput<typeof personalityContract.bond>) {
    return this.explanation.bond(this.companions.get(companionId), personId, new Date(now));
  }

  @Answers(personalityContract.quirks)
  onQuirks({ companionId, viewer, now }: RequestOutput<typeof personalityContract.quirks>) {
    return this.explanation.quirks(this.companions.get(companionId), viewer, new Date(now));
  }

  @Answers(personalityContract.diary)
  onDiary(request: RequestOutput<typeof personalityContract.diary>) {
    this.companions.get(request.companionId);
    return this.explanation.diary(request);
  }

  @Answers(personalityContract.replay)
  onReplay({ companionId, from, to, persona }: RequestOutput<typeof personalityContract.replay>) {
    const { timeZone } = this.companions.get(companionId).view;
    return this.replay.replay(companionId, periodOf(from, to, timeZone), persona);
  }

  @Answers(personalityContract.leavePlaces)
  async onLeavePlaces({ audiences, left }: RequestOutput<typeof personalityContract.leavePlaces>) {
    await this.left.note(audiences, left);
    return {};
  }

  @Answers(personalityContract.forgetTurns)
  async onForgetTurns({ turns }: RequestOutput<typeof personalityContract.forgetTurns>) {
    return { rows: await this.people.forgetTurns(turns) };
  }

  @Answers(personalityContract.erase)
  async onErase({ personId, preview }: RequestOutput<typeof personalityContract.erase>) {
    if (!preview) await this.people.erase(personId);
    return { holdings: await this.people.count(personId) };
  }

  @Answers(personalityContract.unfinished)
  async onUnfinished({ turnIds }: RequestOutput<typeof personalityContract.unfinished>) {
    const edited = await this.prospects.toReread(turnIds);
    const unfinished = [...(await this.ledger.missing(turnIds)), ...edited.map(({ turnId }) => turnId)];
    return { unfinished, dead: await this.messenger.deadTurns(personalityContract.appraise, unfinished) };
  }

  @Works(personalityContract.appraise)
  async onAppraise({ turnIds }: PayloadOutput<typeof personalityContract.appraise>): Promise<void> {
    await this.appraisal.appraise(turnIds);
  }

  @Works(personalityContract.reread)
  onReread({ turnId }: PayloadOutput<typeof personalityContract.reread>): Promise<void> {
    return this.appraisal.reread(turnId);
  }

  @Works(personalityContract.reflect)
  async onReflect(on: PayloadOutput<typeof personalityContract.reflect>): Promise<void> {
    await this.reflection.reflect(this.companions.get(on.companionId), on);
    await this.ledger.prune();
    await this.prospects.expire(on.companionId, on.day);
  }
}
